#include "classify_record.h"

#include "text.h"

/* The extension fields that are not this tool's own. */
static void put_extensions(struct record_writer *out, struct field extensions)
{
	const char *at = extensions.text, *end = at + extensions.length;

	while (at <= end) {
		const char *tab = at < end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
		size_t length = (size_t)((tab ? tab : end) - at);

		if (!TEXT_STARTS(at, length, "class=") && !TEXT_STARTS(at, length, "rule="))
			record_put_escaped(out, at, length);
		at += length + 1;
	}
}

void classify_record(struct record_writer *out, const struct record *kernel,
		     const struct rule *rule, bool why)
{
	struct field category = kernel->field[KERNEL_CATEGORY];
	struct field params = kernel->field[KERNEL_PARAMS];
	const char *rest = category.text + category.length;
	const char *word = rule ? rule->category : "other";

	record_put_bytes(out, kernel->line, (size_t)(category.text - kernel->line));
	record_put_bytes(out, word, strlen(word));
	record_put_bytes(out, rest, (size_t)(params.text + params.length - rest));
	if (kernel->fields > KERNEL_COLUMN_END)
		put_extensions(out, kernel->field[KERNEL_COLUMN_END]);
	if (rule && rule->mark.length)
		record_put_escaped(out, rule->mark.data, rule->mark.length);
	if (why && rule)
		record_put_escaped(out, rule->where.data, rule->where.length);
	else if (why)
		record_put_escaped(out, "rule=-", 6);
	record_end(out);
}
