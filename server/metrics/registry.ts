/** Numbers in the text format that Prometheus reads. */
export interface Registry {
	counter(name: string, help: string): Counter;
	/** @param bounds upper bounds of the buckets, ascending */
	histogram(name: string, help: string, bounds: readonly number[]): Histogram;
	/** @param read asked at each scrape; a failure leaves the metric out */
	gauge(name: string, help: string, read: () => Reading): void;
	/** Like a gauge, for a number that only rises. */
	total(name: string, help: string, read: () => Reading): void;
	text(): Promise<string>;
}

type Labels = Record<string, string>;
export type Sample = [labels: Labels, value: number];
type Reading = number | undefined | Sample[] | Promise<number | undefined>;

interface Counter {
	add(labels: Labels, by?: number): void;
}

interface Histogram {
	observe(labels: Labels, value: number): void;
}

interface Metric {
	name: string;
	help: string;
	type: "counter" | "gauge" | "histogram";
	lines(): string[] | Promise<string[]>;
}

/** More combinations of labels than a server has operations and answers: beyond them, something unbounded is counted. */
const seriesMax = 1_500;

export function openRegistry(): Registry {
	const metrics: Metric[] = [];

	function read(type: "counter" | "gauge") {
		return (name: string, help: string, reading: () => Reading) =>
			metrics.push({
				...{ name, help, type },
				async lines() {
					const found = await reading();
					const samples: Sample[] = Array.isArray(found)
						? found
						: found === undefined
							? []
							: [[{}, found]];
					return samples.map(([labels, value]) =>
						toLine(name, toText(labels), value),
					);
				},
			});
	}

	return {
		counter(name, help) {
			const values = new Map<string, number>();
			const lines = () =>
				[...values].map(([labels, value]) => toLine(name, labels, value));
			metrics.push({ name, help, type: "counter", lines });
			return {
				add(labels, by = 1) {
					const key = keyIn(values, labels);
					values.set(key, (values.get(key) ?? 0) + by);
				},
			};
		},

		histogram(name, help, bounds) {
			const series = new Map<string, { counts: number[]; sum: number }>();
			const lines = () =>
				[...series].flatMap(([labels, { counts, sum }]) =>
					bucketLines(name, labels, bounds, counts, sum),
				);
			metrics.push({ name, help, type: "histogram", lines });
			return {
				observe(labels, value) {
					const key = keyIn(series, labels);
					const one = series.get(key) ?? {
						counts: Array(bounds.length + 1).fill(0),
						sum: 0,
					};
					series.set(key, one);
					const i = bounds.findIndex((bound) => value <= bound);
					const at = i < 0 ? bounds.length : i;
					one.counts[at] = (one.counts[at] ?? 0) + 1;
					one.sum += value;
				},
			};
		},

		gauge: read("gauge"),
		total: read("counter"),

		async text() {
			const parts: string[] = [];
			for (const { name, help, type, lines } of metrics)
				try {
					const made = await lines();
					if (made.length > 0)
						parts.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
					parts.push(...made);
				} catch {
					// What can't be read now, such as a database's size, must not hide the rest.
				}
			return `${parts.join("\n")}\n`;
		},
	};
}

/** The labels as text; those of a new series are all `other` when there are too many. */
function keyIn(known: ReadonlyMap<string, unknown>, labels: Labels): string {
	const key = toText(labels);
	if (known.size < seriesMax || known.has(key)) return key;
	const others = Object.keys(labels).map((name) => [name, "other"]);
	return toText(Object.fromEntries(others));
}

const escapes: Record<string, string> = {
	"\\": "\\\\",
	'"': '\\"',
	"\n": "\\n",
};

function toText(labels: Labels): string {
	return Object.entries(labels)
		.map(
			([name, value]) =>
				`${name}="${value.toWellFormed().replaceAll(/[\\"\n]/g, (one) => escapes[one] ?? one)}"`,
		)
		.join(",");
}

function toLine(name: string, labels: string, value: number): string {
	return `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;
}

function bucketLines(
	name: string,
	labels: string,
	bounds: readonly number[],
	counts: readonly number[],
	sum: number,
): string[] {
	let total = 0;
	const buckets = counts.map((count, i) => {
		total += count;
		const le = `le="${bounds[i] ?? "+Inf"}"`;
		return toLine(
			`${name}_bucket`,
			labels === "" ? le : `${labels},${le}`,
			total,
		);
	});
	return [
		...buckets,
		toLine(`${name}_sum`, labels, sum),
		toLine(`${name}_count`, labels, total),
	];
}
