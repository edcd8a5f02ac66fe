#include "text.h"

#include "check.h"

static struct buffer out = BUFFER_INIT;

#define GIVES(call, want) \
	do { \
		buffer_clear(&out); \
		call; \
		CHECK_BYTES(out.data, out.length, want); \
	} while (0)
#define TEXT(literal) literal, sizeof(literal) - 1

static void lower(void)
{
	GIVES(text_lower(&out, TEXT("AZaz09[@`{")), "azaz09[@`{");
	GIVES(text_lower(&out, TEXT("\xc3\x84 \xe2\x84\xaa")), "\xc3\x84 \xe2\x84\xaa");
	GIVES(text_lower(&out, TEXT("A\0B")), "a\0b");
	CHECK(ascii_is_space('\v') && ascii_is_space('\f') && !ascii_is_space('\x1f'));
	CHECK(ascii_is_digit('9') && !ascii_is_digit(':') && !ascii_is_digit('/'));
}

static void fold(void)
{
	GIVES(text_fold(&out, TEXT("  a \t\n\v\f\r b  ")), "a b");
	GIVES(text_fold(&out, TEXT(" \t ")), "");
	GIVES(text_fold(&out, TEXT("")), "");
	/* no other white space counts */
	GIVES(text_fold(&out, TEXT("a\xc2\xa0 \x1c" "b")), "a\xc2\xa0 \x1c" "b");
	/* what was there before is not trimmed by */
	buffer_clear(&out);
	buffer_add_string(&out, "x");
	text_fold(&out, TEXT(" a"));
	CHECK_BYTES(out.data, out.length, "xa");
}

#define U "\xef\xbf\xbd" /* U+FFFD */

static void repair(void)
{
	GIVES(text_repair(&out, TEXT("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80")),
	      "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	GIVES(text_repair(&out, TEXT("\x80\xbf\xff")), U U U);
	GIVES(text_repair(&out, TEXT("\xe2\x82")), U);
	GIVES(text_repair(&out, TEXT("\xe2\x82" "A\xf0\x9f\x98")), U "A" U);
	GIVES(text_repair(&out, TEXT("\xc0\xaf")), U U);	    /* too long a form */
	GIVES(text_repair(&out, TEXT("\xe0\x80\x80")), U U U);	    /* too long a form */
	GIVES(text_repair(&out, TEXT("\xed\xa0\x80")), U U U);	    /* a surrogate */
	GIVES(text_repair(&out, TEXT("\xf4\x90\x80\x80")), U U U U); /* beyond U+10FFFF */
	GIVES(text_repair(&out, TEXT("\xc3\xc3\xa9")), U "\xc3\xa9");
	GIVES(text_repair(&out, TEXT("a\0b")), "a\0b");
}

static void escape(void)
{
	GIVES(text_escape(&out, TEXT("")), "-");
	GIVES(text_escape(&out, TEXT("-")), "\\-");
	GIVES(text_escape(&out, TEXT("--")), "--");
	GIVES(text_escape(&out, TEXT("a\\b\tc\nd\re")), "a\\\\b\\tc\\nd\\re");
	GIVES(text_escape(&out, TEXT("\0\x01\x1f\x7f\x80")), "\\x00\\x01\\x1f\\x7f\x80");
}

static void unescape(void)
{
	GIVES(text_unescape(&out, TEXT("-")), "");
	GIVES(text_unescape(&out, TEXT("\\-")), "-");
	GIVES(text_unescape(&out, TEXT("a\\\\b\\tc\\nd\\re\\x00\\x7F")), "a\\b\tc\nd\re\0\x7f");
	/* malformed escapes stand for themselves */
	GIVES(text_unescape(&out, TEXT("\\q \\x1 \\xg0 \\x")), "\\q \\x1 \\xg0 \\x");
	GIVES(text_unescape(&out, TEXT("a\\")), "a\\");
}

static void round_trip(void)
{
	char every[512];
	struct buffer escaped = BUFFER_INIT;

	for (size_t i = 0; i < sizeof(every); i++)
		every[i] = (char)(i < 256 ? i : 511 - i);
	for (size_t length = 1; length <= sizeof(every); length++) {
		buffer_clear(&escaped);
		buffer_clear(&out);
		text_escape(&escaped, every + sizeof(every) - length, length);
		text_unescape(&out, escaped.data, escaped.length);
		check_bytes(__FILE__, __LINE__, out.data, out.length,
			    every + sizeof(every) - length, length);
		for (size_t i = 0; i < escaped.length; i++)
			CHECK((unsigned char)escaped.data[i] >= 0x20);
	}
	buffer_release(&escaped);
}

static void characters(void)
{
	CHECK_INT((int64_t)text_characters(TEXT("")), 0);
	CHECK_INT((int64_t)text_characters(TEXT("abc")), 3);
	CHECK_INT((int64_t)text_characters(TEXT("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80")), 3);
	CHECK_INT((int64_t)text_prefix(TEXT("\xc3\xa9\xe2\x82\xac" "x"), 0), 0);
	CHECK_INT((int64_t)text_prefix(TEXT("\xc3\xa9\xe2\x82\xac" "x"), 1), 2);
	CHECK_INT((int64_t)text_prefix(TEXT("\xc3\xa9\xe2\x82\xac" "x"), 2), 5);
	CHECK_INT((int64_t)text_prefix(TEXT("\xc3\xa9\xe2\x82\xac" "x"), 9), 6);
}

static void shorten(void)
{
	GIVES(text_shorten(&out, TEXT(""), 8), "");
	GIVES(text_shorten(&out, TEXT("abcdefgh"), 8), "abcdefgh");
	GIVES(text_shorten(&out, TEXT("abcdefghi"), 8), "abcde...");
	GIVES(text_shorten(&out, TEXT("  ab \t cdef "), 8), "ab cdef");
	/* eight characters in 24 bytes are not cut; nine are, between characters */
	GIVES(text_shorten(&out, TEXT("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
				      "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"), 8),
	      "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
	      "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac");
	GIVES(text_shorten(&out, TEXT("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
				      "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac" "x"), 8),
	      "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac...");
}

static void compact(void)
{
	GIVES(text_compact(&out, TEXT("Flash::Attn_fwd<SM 90>(\xc3\xa9)")), "flashattnfwdsm90");
	GIVES(text_compact(&out, TEXT("_-_")), "");
}

static void parts(void)
{
	CHECK(text_contains(TEXT("abcabd"), TEXT("abd")));
	CHECK(!text_contains(TEXT("abc"), TEXT("abcd")));
	CHECK(text_contains(TEXT("abc"), NULL, 0) && text_contains(NULL, 0, NULL, 0));
	CHECK(!text_contains(NULL, 0, TEXT("a")));
	CHECK(text_starts(TEXT("abc"), TEXT("ab")) && !text_starts(TEXT("abc"), TEXT("b")));
	CHECK(text_ends(TEXT("abc"), TEXT("bc")) && !text_ends(TEXT("abc"), TEXT("ab")));
	CHECK(text_starts(NULL, 0, NULL, 0) && text_ends(NULL, 0, NULL, 0));
	CHECK(!text_starts(TEXT("a"), TEXT("ab")) && !text_ends(TEXT("b"), TEXT("ab")));
	CHECK(TEXT_IS("abc", 3, "abc") && !TEXT_IS("abc", 3, "abcd") && !TEXT_IS("abcd", 4, "abc"));
}

static void compare(void)
{
	CHECK_INT(text_compare(TEXT("ab"), TEXT("ab")), 0);
	CHECK(text_compare(TEXT("ab"), TEXT("abc")) < 0 && text_compare(TEXT("b"), TEXT("ab")) > 0);
	CHECK(text_compare(TEXT("a"), TEXT("\xc3\xa9")) < 0); /* bytes are not signed */
	CHECK(text_compare(NULL, 0, TEXT("a")) < 0 && text_compare(NULL, 0, NULL, 0) == 0);
}

static void code_points(void)
{
	GIVES(text_add_code_point(&out, 0x7f), "\x7f");
	GIVES(text_add_code_point(&out, 0x80), "\xc2\x80");
	GIVES(text_add_code_point(&out, 0x7ff), "\xdf\xbf");
	GIVES(text_add_code_point(&out, 0x800), "\xe0\xa0\x80");
	GIVES(text_add_code_point(&out, 0xffff), "\xef\xbf\xbf");
	GIVES(text_add_code_point(&out, 0x10000), "\xf0\x90\x80\x80");
	GIVES(text_add_code_point(&out, 0x10ffff), "\xf4\x8f\xbf\xbf");
	GIVES(text_add_code_point(&out, 0xd800), U);
	GIVES(text_add_code_point(&out, 0xdfff), U);
}

CHECK_MAIN({"lower", lower}, {"fold", fold}, {"repair", repair}, {"escape", escape},
	   {"unescape", unescape}, {"round_trip", round_trip}, {"characters", characters},
	   {"shorten", shorten}, {"compact", compact}, {"parts", parts}, {"compare", compare},
	   {"code_points", code_points})
