from press._fast import squeeze, Juice
from press.typed import filter_juice
