import {
	Button,
	Group,
	NumberInput,
	Select,
	Stack,
	Switch,
	Text,
	TextInput,
} from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { v7 as newId } from "uuid";
import {
	type Product,
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { useAttempt } from "../parts/attempt.tsx";
import { decimalOf } from "../parts/decimal.ts";
import { useLocal, useMayManage, useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

interface Fields {
	name: string;
	sku: string;
	/** A number's field holds a text while none can be told from it, and an empty one where there is none. */
	buyingPrice: number | string;
	sellingPrice: number | string;
	quantity: number | string;
	lowStock: number | string;
	isService: boolean;
	categoryId: string | null;
}

/** A product, new or changed; also offline. It is checked as the server will check it. */
export function ProductForm({
	product,
	code,
	onDone,
}: {
	product: Product | undefined;
	code: string;
	onDone(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const { catalogue } = useLocal();
	const mayManage = useMayManage();
	const { attempt, problem, isBusy } = useAttempt();
	const check = schemaResolver(
		product
			? productUpdate.args.shape.set
			: productCreate.args.omit({ id: true }),
		{ sync: true },
	);
	const form = useForm({
		mode: "uncontrolled",
		initialValues: fieldsOf(product, code),
		validate: (fields: Fields) => check(toSet(fields)),
	});
	const isService = form.useWatchValue("isService");

	async function save(fields: Fields): Promise<void> {
		const set = toSet(fields);
		const isSaved = await attempt(async () => {
			if (!product) {
				await shop.mutate("product.create", () => ({ ...set, id: newId() }));
				return;
			}
			// What was not touched here may have been changed elsewhere.
			const changed = Object.fromEntries(
				Object.entries(set).filter(
					([field, value]) => value !== product[field as keyof typeof set],
				),
			);
			if (Object.keys(changed).length > 0)
				await shop.mutate("product.update", () => ({
					id: product.id,
					set: changed,
					...("quantity" in changed ? { seenQuantity: product.quantity } : {}),
				}));
		});
		if (isSaved) onDone();
	}

	async function change(name: string, set?: object): Promise<void> {
		const isChanged = await attempt(() =>
			shop.mutate(name, () => ({ id: product?.id, ...(set && { set }) })),
		);
		if (isChanged) onDone();
	}

	if (!mayManage) return <Text>{say("app.noPermission")}</Text>;
	const field = (name: keyof Fields) => ({
		...form.getInputProps(name),
		key: form.key(name),
	});
	return (
		<form onSubmit={form.onSubmit(save)}>
			<Stack>
				{problem}
				<TextInput
					{...field("name")}
					label={say("products.name")}
					required
					maxLength={500}
					data-autofocus
				/>
				<TextInput
					{...field("sku")}
					label={say("products.sku")}
					maxLength={100}
				/>
				<Group grow>
					<NumberInput
						{...field("buyingPrice")}
						label={say("products.buying")}
						min={0}
						decimalScale={6}
					/>
					<NumberInput
						{...field("sellingPrice")}
						label={say("products.selling")}
						min={0}
						decimalScale={6}
					/>
				</Group>
				<Switch
					{...form.getInputProps("isService", { type: "checkbox" })}
					key={form.key("isService")}
					label={say("products.service")}
				/>
				{!isService && (
					<Group grow>
						<NumberInput
							{...field("quantity")}
							label={say("products.stock")}
							decimalScale={6}
						/>
						<NumberInput
							{...field("lowStock")}
							label={say("products.low")}
							min={0}
							decimalScale={6}
						/>
					</Group>
				)}
				<Select
					{...field("categoryId")}
					label={say("products.category")}
					placeholder={say("products.noCategory")}
					clearable
					searchable
					data={catalogue.categories.map(({ id, name }) => ({
						value: id,
						label: name,
					}))}
				/>
				<Button type="submit" size="md" loading={isBusy}>
					{say("app.save")}
				</Button>
				{product && !product.isActive && (
					<Button
						variant="subtle"
						onClick={() => change("product.update", { isActive: true })}
					>
						{say("products.reactivate")}
					</Button>
				)}
				{product?.isActive && (
					<Button
						variant="subtle"
						color="red"
						onClick={() => change("product.delete")}
					>
						{say("products.deactivate")}
					</Button>
				)}
			</Stack>
		</form>
	);
}

function fieldsOf(product: Product | undefined, code: string): Fields {
	return {
		name: product?.name ?? "",
		sku: product?.sku ?? code,
		buyingPrice: product?.buyingPrice ?? "",
		sellingPrice: product?.sellingPrice ?? "",
		quantity: product?.quantity ?? 0,
		lowStock: product?.lowStock ?? 5,
		isService: product?.isService ?? false,
		categoryId: product?.categoryId ?? null,
	};
}

function toSet(fields: Fields) {
	// What is no number stays as it is, and is refused as that.
	const orNull = (typed: number | string) =>
		typed === "" ? null : (decimalOf(typed) ?? typed);
	return {
		...fields,
		sku: fields.sku.trim() || null,
		buyingPrice: orNull(fields.buyingPrice),
		sellingPrice: orNull(fields.sellingPrice),
		quantity: orNull(fields.quantity) ?? 0,
		lowStock: orNull(fields.lowStock) ?? 0,
	};
}
