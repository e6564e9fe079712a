import { schemaResolver, useForm } from "@mantine/form";
import { v7 as newId } from "uuid";
import {
	type Customer,
	customerCreate,
} from "../../../sync/entities/customer.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { TextArea } from "../components/text-area.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useMayManage, useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

const check = schemaResolver(customerCreate.args.omit({ id: true }), {
	sync: true,
});

/** A customer, new or changed, checked as the server checks it. */
export function CustomerForm({
	customer,
	onDone,
	onRemoved,
}: {
	customer: Customer | undefined;
	onDone(id: string): void;
	onRemoved?(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const mayManage = useMayManage();
	const { attempt, problem, isBusy } = useAttempt();
	const form = useForm({
		initialValues: { ...fieldsOf(customer), limit: limitOf(customer) },
		validate: (fields) => check(toSet(fields)),
	});

	async function save(fields: Fields & { limit: string }): Promise<void> {
		const set = toSet(fields);
		const id = customer?.id ?? newId();
		const isSaved = await attempt(async () => {
			if (!customer) await shop.mutate("customer.create", { id, ...set });
			// Another till may have changed the fields that were not touched here.
			const changed = Object.fromEntries(
				Object.entries(set).filter(([field]) => form.isDirty(field)),
			);
			if (customer && Object.keys(changed).length > 0)
				await shop.mutate("customer.update", { id, set: changed });
			const creditLimit = decimalOf(fields.limit) ?? null;
			if (creditLimit !== (customer?.creditLimit ?? null))
				await shop.mutate("customer.limit", { id, creditLimit });
		});
		if (isSaved) onDone(id);
	}

	async function remove(removed: Customer): Promise<void> {
		const { id, name } = removed;
		if (!(await attempt(() => shop.mutate("customer.delete", { id })))) return;
		onRemoved?.();
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
			<TextField
				{...form.getInputProps("phone")}
				value={form.values.phone}
				label={say("customers.phone")}
				type="tel"
				maxLength={40}
			/>
			<TextArea
				{...form.getInputProps("note")}
				value={form.values.note}
				label={say("customers.note")}
				maxLength={2_000}
			/>
			{mayManage && (
				<DecimalField
					{...form.getInputProps("limit")}
					value={form.values.limit}
					label={say("customers.limit")}
					placeholder={say("customers.noLimit")}
				/>
			)}
			<div className="sheet-foot">
				{/* Whoever owes stays in sight, or their debt would be forgotten. */}
				{customer && mayManage && customer.balance === 0 && (
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
		phone: customer?.phone ?? "",
		note: customer?.note ?? "",
	};
}

function limitOf(customer: Customer | undefined): string {
	return customer?.creditLimit == null ? "" : String(customer.creditLimit);
}

function toSet(fields: Fields) {
	return {
		name: fields.name.trim(),
		phone: fields.phone.trim() || null,
		note: fields.note.trim() || null,
	};
}
