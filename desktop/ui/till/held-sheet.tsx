import { useEffect } from "react";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { type Cart, totalOf } from "./cart.ts";

/** The sales put aside; the one that is tapped comes back, and the current one is put aside in its place. */
export function HeldSheet({
	held,
	onResume,
	onClose,
}: {
	held: readonly Cart[];
	onResume(id: string): void;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	useEffect(() => {
		// Another window has resumed the last one.
		if (held.length === 0) onClose();
	}, [held, onClose]);
	return (
		<Sheet
			place="goods"
			title={say("till.held", { count: held.length })}
			onClose={onClose}
		>
			{held.map((cart) => (
				<button
					key={cart.id}
					type="button"
					className="btn held"
					onClick={() => onResume(cart.id)}
				>
					<span className="strong">
						{cart.note || cart.lines.map(({ name }) => name).join(", ")}
					</span>
					<span className="muted text-s">
						{say("till.items", { count: cart.lines.length })} ·{" "}
						{format.moment(cart.heldAt ?? "")}
					</span>
					<span className="figure strong">{format.money(totalOf(cart))}</span>
				</button>
			))}
		</Sheet>
	);
}
