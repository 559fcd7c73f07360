"""The application: tables, clocks, screens and their words and pictures. It knows no chat."""
