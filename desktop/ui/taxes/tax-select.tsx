import { SelectField } from "../components/select-field.tsx";
import { useWords } from "../words/index.ts";
import { useTaxes } from "./use-taxes.ts";

/** A choice of a tax class. Shops without taxes see none. */
export function TaxSelect({
	label,
	isLabelHidden = false,
	value,
	none,
	onChange,
}: {
	label: string;
	isLabelHidden?: boolean;
	value: string | null;
	/** What no choice means. */
	none: string;
	onChange(taxClass: string | null): void;
}) {
	const { say } = useWords();
	const taxes = useTaxes();
	if (taxes.length === 0) return null;
	return (
		<SelectField
			label={label}
			isLabelHidden={isLabelHidden}
			value={value ?? ""}
			onChange={(id) => onChange(id || null)}
			options={[
				{ value: "", label: none },
				...taxes.map(({ id, name }) => ({
					value: id,
					label: say("taxes.named", { id, name }),
				})),
			]}
		/>
	);
}
