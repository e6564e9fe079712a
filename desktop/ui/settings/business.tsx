import {
	Button,
	Group,
	NumberInput,
	Select,
	Stack,
	Switch,
	Text,
	Textarea,
	TextInput,
} from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import {
	type Business,
	businessUpdateArgs,
} from "../../../sync/entities/business.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Panel } from "../components/panel.tsx";
import { useShop } from "../session.tsx";
import { makeAndSend } from "../shop/send.ts";
import { useWords } from "../words/index.ts";

/** The shop's name, currency, day and receipts; for its owner only. */
export function BusinessForm({ business }: { business: Business }) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const [isSaved, setSaved] = useState(false);
	const form = useForm({
		mode: "uncontrolled",
		initialValues: fieldsOf(business),
		validate: schemaResolver(businessUpdateArgs.shape.set, { sync: true }),
	});
	const field = (name: keyof typeof form.values) => ({
		...form.getInputProps(name),
		key: form.key(name),
	});

	const known = useRef(form.getInitialValues());
	// Show changes made elsewhere, except in fields being edited here.
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the business changes.
	useEffect(() => {
		const now = fieldsOf(business);
		const typed = form.getValues();
		for (const name of Object.keys(now) as (keyof typeof now)[])
			if (typed[name] === known.current[name] && typed[name] !== now[name])
				form.setFieldValue(name, now[name]);
		known.current = now;
	}, [business.updatedAt]);

	async function save(fields: typeof form.values): Promise<void> {
		const set = {
			...fields,
			receiptHeader: fields.receiptHeader.trim() || null,
			receiptFooter: fields.receiptFooter.trim() || null,
		};
		// Untouched fields may have been changed elsewhere.
		const changed = Object.fromEntries(
			Object.entries(set).filter(
				([field, value]) => value !== business[field as keyof typeof set],
			),
		);
		setSaved(false);
		setSaved(
			await attempt(async () => {
				if (Object.keys(changed).length > 0)
					await makeAndSend(shop, "business.update", { set: changed });
				// The form is clean again, even if the business hasn't been fetched again yet.
				known.current = fields;
			}),
		);
	}

	return (
		<Panel title={say("settings.business")}>
			{problem}
			<form onSubmit={form.onSubmit(save)}>
				<Stack gap="sm">
					<TextInput {...field("name")} label={say("setup.shop")} required />
					<Group grow>
						<Select
							{...field("currency")}
							label={say("setup.currency")}
							data={Intl.supportedValuesOf("currency")}
							allowDeselect={false}
							searchable
						/>
						<Select
							{...field("timeZone")}
							label={say("setup.timeZone")}
							data={[
								...new Set([
									business.timeZone,
									...Intl.supportedValuesOf("timeZone"),
								]),
							]}
							allowDeselect={false}
							searchable
						/>
						<NumberInput
							{...field("cutOffHour")}
							label={say("settings.cutOff")}
							min={0}
							max={23}
							allowDecimal={false}
						/>
					</Group>
					<Textarea
						{...field("receiptHeader")}
						label={say("settings.header")}
						autosize
						minRows={2}
					/>
					<Textarea
						{...field("receiptFooter")}
						label={say("settings.footer")}
						autosize
						minRows={2}
					/>
					<Switch
						{...form.getInputProps("openItems", { type: "checkbox" })}
						key={form.key("openItems")}
						label={say("settings.openItems")}
						description={say("settings.openItemsLead")}
					/>
					<Group>
						<Button type="submit" loading={isBusy}>
							{say("app.save")}
						</Button>
						{isSaved && <Text role="status">{say("products.saved")}</Text>}
					</Group>
				</Stack>
			</form>
		</Panel>
	);
}

function fieldsOf({ receiptHeader, receiptFooter, ...business }: Business) {
	const { name, currency, timeZone, cutOffHour } = business;
	// A business saved by an older version of the app has no `openItems`.
	const openItems = business.openItems ?? false;
	return {
		name,
		currency,
		timeZone,
		cutOffHour,
		openItems,
		receiptHeader: receiptHeader ?? "",
		receiptFooter: receiptFooter ?? "",
	};
}
