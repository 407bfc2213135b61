"""Docstrings of every style.

A paragraph with *emphasis*, **strength**, ``code``, `a role`, :func:`google`, :class:`~manual.Numpy`
and a `link <https://garden.example>`_.

Heading
-------

* one
* two

  more

1. first
2. second

::

    code block

.. note::
   Mind the gap.

.. code-block:: python

   dig()

=====  =====
Plant  Days
=====  =====
bean   60
=====  =====

>>> 1 + 1
2
"""


def google(a, b=1):
    """Does it.

    Longer.

    Args:
        a (int): first.
            Continued.
        b: second.

    Returns:
        bool: whether.

    Yields:
        int: numbers.

    Raises:
        KeyError: never.

    Note:
        Mind.

    Example:
        >>> google(1)
        True
    """


class Numpy:
    """
    Holds it.

    Parameters
    ----------
    a : int, optional
        First.
    b : {'x', 'y'}

    Attributes
    ----------
    c : float
        Third.

    See Also
    --------
    google : the other.

    Examples
    --------
    >>> Numpy(1)
    <Numpy>
    """

    def __init__(self, a=1, b='x'): self.c = 1.0


def sphinx(a, b):
    """Does it.

    :param int a: first
    :param b: second
    :type b: str
    :returns: nothing
    :rtype: None
    :raises KeyError: never
    """


def epydoc(a):
    """Does it.

    @param a: first
    @return: nothing
    """


def markdown(a):
    """Does it.

    - `a`: first

    ```python
    markdown(1)
    ```

    # Title

    [link](https://garden.example)
    """


def plain():
    """One line."""


def raw():
    r"""Back\slash."""


def joined():
    "Two " "parts."


def warned():
    """Warns.

    Deprecated:
        Use plain.
    """


class Undocumented:
    def method(self):
        pass
