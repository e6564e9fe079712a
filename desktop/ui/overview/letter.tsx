import { Link } from "wouter";
import type { Queries } from "../../../sync/queries/index.ts";
import { Busy } from "../components/busy.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { comparisonOf } from "./comparison.ts";
import { Oddities } from "./oddities.tsx";
import { OrderList } from "./order-list.tsx";
import { salesOf } from "./sales-link.ts";
import { Sentence } from "./sentence.tsx";

export type LetterFacts = Queries["report.letter"]["answer"];

/** "Today" changes even when nothing is sold. */
const againMs = 60_000;

/** Today in one or two sentences, why, what to order and what looks odd. */
export function Letter() {
	const format = useFormat();
	const { data, error, isPending } = useAnswer(
		"report.letter",
		{},
		{ everyMs: againMs },
	);
	return (
		<>
			<div>
				{isPending && <Busy />}
				<LoadError error={error} offline="sales.offline" />
				{data && (
					<>
						<p className="muted letter-day">{format.longDay(data.day)}</p>
						<p className="letter-lead" data-testid="letter">
							<Headline letter={data} />
							{data.soldOut.length > 0 && (
								<>
									{" "}
									<SoldOut letter={data} />
								</>
							)}
						</p>
						<Causes letter={data} />
					</>
				)}
			</div>
			<div className="overview-aside">
				{data && (
					<>
						<OrderList order={data.order} day={data.day} />
						<Oddities letter={data} />
					</>
				)}
			</div>
		</>
	);
}

function Headline({ letter }: { letter: LetterFacts }) {
	const { say } = useWords();
	const format = useFormat();
	const { day, today, usual } = letter;
	const weekday = format.weekday(day);
	const link = (amount: number) => (
		<Link href={salesOf({ from: day, to: day })}>
			<Money value={amount} />
		</Link>
	);
	if (today.salesCount === 0 && today.revenue === 0)
		return usual && usual.revenue > 0 ? (
			<Sentence
				word="letter.nothingUsual"
				values={{ weekday }}
				parts={{ usual: <Money value={usual.revenue} /> }}
			/>
		) : (
			say("letter.nothing")
		);
	const parts = { amount: link(today.revenue) };
	if (!usual || usual.revenue <= 0)
		return <Sentence word="letter.took" parts={parts} />;
	const { word, share, times } = comparisonOf(today.revenue, usual.revenue);
	return (
		<Sentence
			word={word}
			values={{
				weekday,
				...(share !== undefined && { percent: format.percent(share) }),
				...(times !== undefined && { times: format.rounded(times) }),
			}}
			parts={parts}
		/>
	);
}

function SoldOut({ letter: { soldOut } }: { letter: LetterFacts }) {
	const { language } = useWords();
	const format = useFormat();
	const names = new Intl.ListFormat(language).formatToParts(
		soldOut.map(({ productId }) => productId),
	);
	const links = names.map(({ type, value }) => {
		const product = soldOut.find(({ productId }) => productId === value);
		return type === "element" && product ? (
			<Link key={value} href={`/products?id=${encodeURIComponent(value)}`}>
				{product.name}
			</Link>
		) : (
			value
		);
	});
	return (
		<mark>
			<Sentence
				word="letter.ranOut"
				values={{
					count: soldOut.length,
					time: format.time(soldOut[0]?.ranOutAt ?? ""),
				}}
				parts={{ names: links }}
			/>
		</mark>
	);
}

/** Why today differs from the usual, in money. */
function Causes({ letter }: { letter: LetterFacts }) {
	const { say } = useWords();
	const format = useFormat();
	const { day, soldOut, causes } = letter;
	const weekday = format.weekday(day);
	const days = { from: day, to: day };
	const reasons = [
		...soldOut.flatMap(({ productId, name, ranOutAt, missed }) =>
			missed && missed.revenue > 0
				? {
						key: productId,
						amount: -missed.revenue,
						href: salesOf(days, { product: productId }),
						text: say("cause.ranOut", {
							...{ name, weekday, time: format.time(ranOutAt) },
							quantity: format.quantity(missed.quantity),
						}),
					}
				: [],
		),
		...causes.flatMap(({ code, today, usual, amount }) => {
			const show = code === "sales" ? format.quantity : format.money;
			const values = { today: show(today), usual: show(usual) };
			return amount === 0
				? []
				: {
						...{ key: code, amount, href: salesOf(days) },
						text: say(`cause.${code}`, values),
					};
		}),
	];
	if (reasons.length === 0) return null;
	return (
		<ul className="letter-causes">
			{reasons.map(({ key, amount, href, text }) => (
				<li key={key}>
					<Link
						href={href}
						className={`letter-amount ${amount < 0 ? "danger" : ""}`}
					>
						{format.change(amount)}
					</Link>
					<p className="text-s">{text}</p>
				</li>
			))}
		</ul>
	);
}
