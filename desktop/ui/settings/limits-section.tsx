import { useEffect, useState } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField } from "../components/field.tsx";
import { useWords } from "../words/index.ts";
import { SavedSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";

const limits = [
	"cashierDiscountMax",
	"cashierRefundMax",
	"cashierCashOutMax",
] as const;

/** What cashiers may do before the owner hears of it. */
export function LimitsSection({ business }: { business: Business }) {
	const { say } = useWords();
	const [saved, setSaved] = useState(false);
	return (
		<SavedSection title={say("settings.limits")} isSaved={saved}>
			<p>{say("settings.limitsLead")}</p>
			<div className="settings-narrow column-flex">
				{limits.map((name) => (
					<LimitField
						key={name}
						business={business}
						name={name}
						onSaved={() => setSaved(true)}
					/>
				))}
			</div>
		</SavedSection>
	);
}

function LimitField({
	business,
	name,
	onSaved,
}: {
	business: Business;
	name: (typeof limits)[number];
	onSaved(): void;
}) {
	const { say } = useWords();
	const label = say(`settings.${name}`);
	const { value, change, save, error, isSaved } = useSetting(
		business,
		name,
		label,
	);
	const [typed, setTyped] = useState("");
	// What is typed stays as it is, such as "0.50", while it means the same.
	useEffect(() => {
		setTyped((before) =>
			(decimalOf(before) ?? null) === (value ?? null)
				? before
				: String(value ?? ""),
		);
	}, [value]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each save.
	useEffect(() => {
		if (isSaved) onSaved();
	}, [isSaved]);
	return (
		<DecimalField
			label={label}
			value={typed}
			onChange={(text) => {
				setTyped(text);
				change(decimalOf(text) ?? null);
			}}
			onBlur={save}
			error={error}
		/>
	);
}
