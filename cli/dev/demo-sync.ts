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
		"Show two tills that sell offline for a day and reconnect over a network that loses replies",
	)
	.option("--catalogue <file>", "products, in a format for `import products`")
	.option(
		"--sales <file...>",
		"CSV files of sales: InvoiceNo, StockCode, Description, Quantity, InvoiceDate, UnitPrice, CustomerID",
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
		"Server and tills have the sums of the files",
		holdings.every(({ sales, sold, refunded, units }) =>
			isDeepStrictEqual({ sales, sold, refunded, units }, expected),
		),
	],
	["Stock matches the files to the unit", wrongStock.length === 0],
	[
		"Server and tills have the same digest",
		holdings.every(({ digest }) => digest === server?.digest),
	],
	[
		"Pushing the same days again changed nothing",
		result.digestAfterRepeat === server?.digest,
	],
	["No mutation was rejected", rejected === 0],
];
console.log(`${lostReplies} replies were lost.`);
for (const [what, holds] of checks) console.log(`${holds ? "✓" : "✗"} ${what}`);
if (checks.some(([, holds]) => !holds)) process.exitCode = 1;
