import fc from "fast-check";

/** Amounts of at most six decimals, chosen for rounding problems; most are small, as in a shop. */
export const amounts = fc.oneof(
	fc.integer({ min: 0, max: 500 }),
	fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
	fc.integer({ min: 0, max: 90_000_000 }).map((micros) => micros / 1e6),
	fc.constantFrom(0.1, 0.2, 1.005, 2.675, 0.000001, 999_999.999999),
);
export const quantities = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 0, max: 6 }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(0.5, 1.5, 0.333333, 2.000001, 0.1, 12.75),
	},
);
/** Differences between totals and what can be paid in coins. */
export const roundedBy = fc.constantFrom(2, -20, 0.5, -0.000001, 0);
export const levels = fc.oneof(
	fc.integer({ min: -5, max: 30 }),
	fc.constantFrom(0.5, -2.25, 5.000001),
);

/** A few names, so that they collide in searches, sort orders and SKUs. */
export const names = fc.constantFrom(
	"Milk",
	"milk 2",
	"Bread",
	"Éclair",
	"éclair",
	"Tea 100%",
	"a_b",
	"Ugali & sukuma",
	"Сахар",
	"<b>Salt</b>",
	"O'Brien's",
);
export const searches = fc.constantFrom(
	"mil",
	"MILK",
	"é",
	"%",
	"_",
	"'",
	"САХ",
	"<b>",
	"none such",
	"card",
);
export const skus = fc.constantFrom("111", "222", "A-1");
export const reasons = fc.constantFrom("broken", "changed their mind", "=1+1");
export const nats = fc.nat();

/** Generates a value or leaves it out. */
export function maybe<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
	return fc.option(values, { nil: undefined });
}
