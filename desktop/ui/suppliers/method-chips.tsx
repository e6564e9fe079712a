import { Chips } from "../components/chips.tsx";
import { useWords } from "../words/index.ts";

const methods = ["CASH", "BANK", "MPESA"] as const;
export type SupplierMethod = (typeof methods)[number];

/** How a supplier is paid. Only cash comes out of the drawer. */
export function MethodChips({
	value,
	onChange,
}: {
	value: SupplierMethod;
	onChange(method: SupplierMethod): void;
}) {
	const { say } = useWords();
	return (
		<Chips
			label={say("suppliers.by")}
			value={value}
			onChange={onChange}
			choices={methods.map((value) => ({ value, label: say(`pay.${value}`) }))}
		/>
	);
}
