import { type FormEvent, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { useShop } from "../session.tsx";
import { useCategories } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** Begins a count of a category, or of whatever its name says. */
export function OpenForm({ onDone }: { onDone(id: string): void }) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const categories = useCategories();
	const { current: id } = useRef(newId());
	const [name, setName] = useState("");
	const [categoryId, setCategory] = useState("");
	const category = categories.find((one) => one.id === categoryId);
	const whole = name.trim() || category?.name || "";

	async function open(event: FormEvent): Promise<void> {
		event.preventDefault();
		const args = { id, name: whole, categoryId: categoryId || null };
		if (await attempt(() => shop.mutate("count.open", args, { id })))
			onDone(id);
	}

	return (
		<form className="column-flex" onSubmit={open}>
			{problem}
			<TextField
				label={say("counts.name")}
				placeholder={category?.name ?? say("counts.nameExample")}
				value={name}
				maxLength={200}
				onChange={setName}
				data-autofocus
			/>
			{categories.length > 0 && (
				<SelectField
					label={say("counts.category")}
					value={categoryId}
					onChange={setCategory}
					options={[
						{ value: "", label: say("products.allCategories") },
						...categories.map(({ id, name }) => ({ value: id, label: name })),
					]}
				/>
			)}
			<p className="muted">{say("counts.lead")}</p>
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="ink"
					size="l"
					isBusy={isBusy}
					disabled={whole === ""}
				>
					{say("counts.begin")} <kbd aria-hidden>Enter</kbd>
				</Button>
			</div>
		</form>
	);
}
