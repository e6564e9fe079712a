import type { Queries } from "../../../sync/queries/index.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { DifferenceTag } from "./difference-tag.tsx";

type Line = Queries["count.differences"]["answer"]["lines"][number];

/** What a count found against the book, the largest value first, and the step that corrects the stock. */
export function Differences({
	id,
	onClosed,
}: {
	id: string;
	onClosed?(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const { data, error } = useAnswer("count.differences", { id });
	if (!data) return <LoadError error={error} />;
	const { count, lines, missing, over } = data;
	const shown = lines.filter(
		({ difference, late }) => difference !== 0 || late !== 0,
	);
	const isDone = count.closedAt !== null && count.waiting === 0;

	async function close(): Promise<void> {
		if (await attempt(() => shop.mutate("count.close", { id }))) onClosed?.();
	}

	return (
		<div className="column-flex">
			{problem}
			{shown.length < lines.length && (
				<p className="muted">
					{say("counts.right", { count: lines.length - shown.length })}
				</p>
			)}
			<ul className="leaf differences">
				{shown.map((line) => (
					<DifferenceItem key={line.lookId} line={line} />
				))}
			</ul>
			<div className="differences-sums">
				<span>{say("counts.missing")}</span>
				<Money value={missing} />
				<span>{say("counts.tooMuch")}</span>
				<Money value={over} />
			</div>
			{!isDone && (
				<>
					<p className="muted">{say("counts.closeLead")}</p>
					<Button kind="ink" size="l" isBusy={isBusy} onClick={close}>
						{say("counts.close", { count: count.waiting })}
					</Button>
				</>
			)}
		</div>
	);
}

function DifferenceItem({ line }: { line: Line }) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<li>
			<span className="grow counts-words">
				<b>{line.name ?? line.productId}</b>
				<span className="muted text-s">
					{say("counts.book", {
						counted: format.quantity(line.counted),
						expected: format.quantity(line.expected),
					})}
				</span>
				{line.late !== 0 && (
					<span className="attention text-s">
						{say("counts.late", { quantity: format.quantity(line.late) })}
					</span>
				)}
			</span>
			<DifferenceTag difference={line.difference} />
			<span className="figure">
				{line.value === null ? "–" : format.change(line.value)}
			</span>
		</li>
	);
}
