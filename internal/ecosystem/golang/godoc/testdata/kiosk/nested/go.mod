module example.com/kiosk/nested
