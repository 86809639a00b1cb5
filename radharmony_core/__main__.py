"""``python -m radharmony_core ...``"""

import sys

from radharmony_core.cli import main

sys.exit(main())
