let kettle = Kettle()
kettle.heat(to: 100)
