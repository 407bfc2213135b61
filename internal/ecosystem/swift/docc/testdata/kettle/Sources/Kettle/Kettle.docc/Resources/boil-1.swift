let kettle = Kettle()
