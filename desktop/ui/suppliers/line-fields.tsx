import { X } from "lucide-react";
import { IconButton } from "../components/button.tsx";
import { DecimalField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { costOf, type ReceivedLine } from "./use-received.ts";

/** One line of a delivery: how many, in which pack, at which cost. */
export function LineFields({
	line,
	onChange,
	onTakeOut,
}: {
	line: ReceivedLine;
	onChange(some: Partial<ReceivedLine>): void;
	onTakeOut(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { name, packs, packId, quantity, cost } = line;
	return (
		<li>
			<div className="receive-name">
				<b>{name}</b>
				<IconButton
					label={say("suppliers.takeOut", { name })}
					onClick={onTakeOut}
				>
					<X size={18} aria-hidden />
				</IconButton>
			</div>
			<div className="receive-fields">
				<DecimalField
					label={say("suppliers.howMany")}
					aria-label={say("suppliers.quantity", { name })}
					value={quantity}
					onChange={(typed) => onChange({ quantity: typed })}
				/>
				{packs.length > 0 && (
					<SelectField
						label={say("suppliers.pack", { name })}
						isLabelHidden
						value={packId}
						onChange={(chosen) =>
							onChange({ packId: chosen, cost: costOf(line, chosen) })
						}
						options={[
							{ value: "", label: "1" },
							...packs.map(({ id, name, size }) => ({
								value: id,
								label: `${name} (${format.quantity(size)})`,
							})),
						]}
					/>
				)}
				<DecimalField
					label={say("products.cost")}
					aria-label={say("suppliers.cost", { name })}
					value={cost}
					onChange={(typed) => onChange({ cost: typed })}
				/>
			</div>
		</li>
	);
}
