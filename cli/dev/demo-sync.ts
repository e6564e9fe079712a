import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Command } from "commander";
import { runDemo } from "./demo.ts";

const sample = join(import.meta.dirname, "sample");
const catalogue = join(
	import.meta.dirname,
	"../../server/operations/demo/catalogue.csv",
);

interface Options {
	catalogue?: string;
	sales?: string[];
}

const options = new Command("demo:sync")
	.description(
		"Two tills sell a day offline and come back over a line that loses replies",
	)
	.option("--catalogue <file>", "products, as `import products` takes them")
	.option(
		"--sales <file...>",
		"days of sales: InvoiceNo, StockCode, Description, Quantity, InvoiceDate, UnitPrice, CustomerID",
	)
	.parse()
	.opts<Options>();

const own = options.sales === undefined;
const result = await runDemo({
	catalogue: options.catalogue ?? (own ? catalogue : undefined),
	sales: options.sales ?? [join(sample, "day.csv")],
	tell: (text) => console.log(text),
});

const { expected, holdings, wrongStock, lostReplies, rejected } = result;
console.table([
	{ who: "the files", ...expected, digest: "" },
	...holdings.map((holding) => ({
		...holding,
		digest: `${holding.digest.slice(0, 12)}…`,
	})),
]);
const [server] = holdings;
const checks: [string, boolean][] = [
	[
		"Sums are those of the files, everywhere",
		holdings.every(({ sales, sold, refunded, units }) =>
			isDeepStrictEqual({ sales, sold, refunded, units }, expected),
		),
	],
	["Stock is right to the unit", wrongStock.length === 0],
	[
		"All three hold the same shop",
		holdings.every(({ digest }) => digest === server?.digest),
	],
	[
		"The same days offered again changed nothing",
		result.digestAfterRepeat === server?.digest,
	],
	["Nothing was refused", rejected === 0],
];
console.log(`${lostReplies} replies were lost on the way.`);
for (const [what, holds] of checks) console.log(`${holds ? "✓" : "✗"} ${what}`);
if (checks.some(([, holds]) => !holds)) process.exitCode = 1;
