"""Numbers and dates of workbooks, as formats show them."""

from hypothesis import given
from hypothesis import strategies as st

from biblicus.extraction.office.number_formats import shown
from tests.sampling import each


@each(
    ("value", "code", "expected"),
    [
        ("0.125", "0%", "13%"), ("0.125", "0.00%", "12.50%"), ("1234.5", "#,##0.00", "1,234.50"),
        ("1234.5", "0", "1235"),
        ("-3", '0;"minus "0', "minus 3"), ("-3.5", "#,##0.00_);(#,##0.00)", "(3.50)"), ("3", '0 "nights"', "3 nights"),
        ("12", "[$€-407] #,##0.00", "€ 12.00"), ("35", '"$"#,##0', "$35"), ("45292", "mm-dd-yy", "2024-01-01"),
        ("45292.5", "yyyy-mm-dd hh:mm", "2024-01-01 12:00"), ("0.75", "h:mm AM/PM", "18:00"),
        ("1.5", "[h]:mm:ss", "36:00:00"), ("45292", "d. mmmm yyyy", "2024-01-01"), ("0.1", "", "0.1"), ("3.0", "", "3"),
        ("1E+20", "General", "1e+20"), ("x", "0", "x"), ("44", "@", "44"), ("1", "mmm yy", "1900-01-01"),
        ("99999999", "yyyy", "99999999"), ("nan", "0", "nan"), ("-4", "0;[Red]0", "-4"),
        ("1e300", "0", f"1{'0' * 300}"),
        ("1234567", '0.0,,"M"', "1.2M"), ("1234567", '#,##0,"K"', "1,235K"), ("1234567", "0,.0", "1234.6"),
        ("7", "00000", "00007"), ("7", "0,000", "0,007"), ("0.5", "#.##", ".5"), ("12.5", ".00", "12.50"),
        ("2", "0.##", "2"), ("2.5", "0.0#", "2.5"), ("2.25", "0.0#", "2.25"), ("0", "#,###", "0"),
        ("123456789", "000-00-0000", "123-45-6789"), ("5551234567", "(000) 000-0000", "(555) 123-4567"),
        ("-5", '"$"0', "-$5"), ("-0.001", "0", "0"), ("0", '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', "-"),
        ("0", '#,##0.00_);(#,##0.00);"-"??', "-"), ("1", '"yes";"no";"never"', "yes"),
        ("0", '"yes";"no";"never"', "never"),
        ("5", 'General" kg"', "5 kg"), ("-5", "General", "-5"), ("1.25", "# ?/?", "1.25"), ("1250", "0.00E+00", "1250"),
        ("1500", '[>=1000]0.0,"K";0', "1.5K"), ("150", '[>=1000]0.0,"K";0', "150"),
        ("-3", '[<0]"minus "0;0', "minus 3"),
        ("-3", "[<0][Red]0;0", "-3"), ("5", "[=1]0;[=2]0", "5"), ("7", ";;;", "7"), ("21", "0°", "21°"),
        ("-7", ";;;", "-7"), ("-120", "", "-120"), ("-0.25", "", "-0.25"),
        ("-0.5", "[h]:mm:ss", "-12:00:00"), ("1e300", "[h]:mm", "1e+300"), ("1e308", "[s]", "1e+308"),
        ("2958465.9999999", "yyyy-mm-dd", "2958465.9999999"),
    ],
)  # fmt: skip
def test_numbers_are_as_people_see_them(value: str, code: str, expected: str) -> None:
    assert shown(value, code) == expected


def test_dates_count_from_1904_where_a_workbook_says_so() -> None:
    assert shown("0", "yyyy-mm-dd", epoch_1904=True) == "1904-01-01"
    assert shown("2958465", "yyyy-mm-dd", epoch_1904=True) == "2958465"


@given(
    st.floats(allow_nan=True).map(repr),
    st.text('0#?.,%;"-+/ E@ymdhs[]<>=1_*\\Genral$K', max_size=20),
    st.booleans(),
)
def test_no_number_and_no_format_costs_a_workbook(value: str, code: str, epoch_1904: bool) -> None:
    text = shown(value, code, epoch_1904)
    assert text.strip() == text != ""
