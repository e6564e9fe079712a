import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** How many more or fewer were found than the book says. */
export function DifferenceTag({ difference }: { difference: number }) {
	const { say } = useWords();
	const format = useFormat();
	if (difference === 0)
		return <span className="muted text-s">{say("counts.same")}</span>;
	const quantity = format.quantity(Math.abs(difference));
	return (
		<Tag tone={difference < 0 ? "attention" : "money"}>
			{say(difference < 0 ? "counts.fewer" : "counts.over", { quantity })}
		</Tag>
	);
}
