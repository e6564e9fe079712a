import { schemaResolver, useForm } from "@mantine/form";
import { v7 as newId } from "uuid";
import {
	type Customer,
	customerCreate,
} from "../../../sync/entities/customer.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { TextArea } from "../components/text-area.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

const check = schemaResolver(customerCreate.args.omit({ id: true }), {
	sync: true,
});

/** A customer, new or changed, checked as the server checks it. */
export function CustomerForm({
	customer,
	onDone,
}: {
	customer: Customer | undefined;
	onDone(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const form = useForm({
		initialValues: fieldsOf(customer),
		validate: (fields) => check(toSet(fields)),
	});

	async function save(fields: Fields): Promise<void> {
		const set = toSet(fields);
		const isSaved = await attempt(async () => {
			if (!customer)
				return shop.mutate("customer.create", { id: newId(), ...set });
			// Another till may have changed the fields that were not touched here.
			const changed = Object.fromEntries(
				Object.entries(set).filter(([field]) => form.isDirty(field)),
			);
			if (Object.keys(changed).length > 0)
				await shop.mutate("customer.update", { id: customer.id, set: changed });
		});
		if (isSaved) onDone();
	}

	async function remove(removed: Customer): Promise<void> {
		const { id, name } = removed;
		if (!(await attempt(() => shop.mutate("customer.delete", { id })))) return;
		onDone();
		// The id of a removed record can't be used again.
		offerUndo(say("customers.removed", { name }), () =>
			shop.mutate("customer.create", {
				id: newId(),
				...toSet(fieldsOf(removed)),
			}),
		);
	}

	return (
		<form className="column-flex" onSubmit={form.onSubmit(save)}>
			{problem}
			<TextField
				{...form.getInputProps("name")}
				value={form.values.name}
				label={say("customers.name")}
				required
				maxLength={200}
				data-autofocus
			/>
			<TextArea
				{...form.getInputProps("note")}
				value={form.values.note}
				label={say("customers.note")}
				maxLength={2_000}
			/>
			<div className="sheet-foot">
				{customer && (
					<Button size="l" isDanger onClick={() => remove(customer)}>
						{say("customers.remove")}
					</Button>
				)}
				<Button type="submit" kind="ink" size="l" isBusy={isBusy}>
					{say("app.save")}
				</Button>
			</div>
		</form>
	);
}

type Fields = ReturnType<typeof fieldsOf>;

function fieldsOf(customer: Customer | undefined) {
	return {
		name: customer?.name ?? "",
		note: customer?.note ?? "",
	};
}

function toSet(fields: Fields) {
	return {
		name: fields.name.trim(),
		note: fields.note.trim() || null,
	};
}
