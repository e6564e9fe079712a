import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField } from "../components/field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import type { CartLine, Discount } from "./cart.ts";

const usual = [5, 10, 20, 50];

/** Takes a percentage or an amount off one line or the whole cart. */
export function DiscountSheet({
	line,
	onDiscount,
	onClose,
}: {
	/** Undefined means the whole cart. */
	line: CartLine | undefined;
	onDiscount(off: Discount): void;
	onClose(): void;
}) {
	const { say } = useWords();
	const { currency } = useFormat();
	const [kind, setKind] = useState<"percent" | "amount">("percent");
	const [typed, setTyped] = useState("");
	const off = decimalOf(typed);
	const isTooMuch = kind === "percent" && off !== undefined && off > 100;
	const give = (size: number) => {
		onDiscount(kind === "percent" ? { percent: size } : { amount: size });
		onClose();
	};
	return (
		<Sheet
			place="goods"
			title={
				line
					? say("till.discountOn", { name: line.name })
					: say("till.discountOnSale")
			}
			mayCloseByTap={typed === ""}
			onClose={onClose}
		>
			<Chips<"percent" | "amount">
				label={say("till.discount")}
				value={kind}
				onChange={setKind}
				choices={[
					{ value: "percent", label: say("till.percentKind") },
					{ value: "amount", label: currency },
				]}
			/>
			<form
				className="column-flex grow"
				onSubmit={(event) => {
					event.preventDefault();
					if (off !== undefined && !isTooMuch) give(off);
				}}
			>
				<DecimalField
					label={
						kind === "percent" ? say("till.percent") : say("till.amountOff")
					}
					isLarge
					data-autofocus
					value={typed}
					onChange={setTyped}
					error={isTooMuch && say("till.tooMuchOff")}
				/>
				{kind === "percent" && (
					<div className="row-flex">
						{usual.map((percent) => (
							<Button
								key={percent}
								size="s"
								className="grow"
								onClick={() => give(percent)}
							>
								{percent} %
							</Button>
						))}
					</div>
				)}
				<div className="sheet-foot">
					<Button onClick={() => give(0)}>{say("till.noDiscount")}</Button>
					<Button
						type="submit"
						kind="ink"
						disabled={off === undefined || isTooMuch}
					>
						{say("till.apply")}
					</Button>
				</div>
			</form>
		</Sheet>
	);
}
