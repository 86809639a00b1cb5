"""CASIA-CXR: films with French reports and labels, a folder a class. No licence is stated anywhere: ask its authors."""
