import {
	Badge,
	Button,
	Drawer,
	Group,
	NumberInput,
	SegmentedControl,
	Select,
	Stack,
	Switch,
	Text,
	TextInput,
	Title,
	UnstyledButton,
} from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Plus } from "lucide-react";
import { type FormEvent, useMemo, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import { useSearch } from "wouter";
import type { Product } from "../../../sync/entities/product.ts";
import { useFormat } from "../format.ts";
import { Categories } from "../products/categories.tsx";
import { Import } from "../products/import.tsx";
import { Picture } from "../products/picture.tsx";
import { Stock } from "../products/stock.tsx";
import { useLocal, useMayManage, useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

const rowHeight = 56;

/** Everything that is sold: found at once, however much it is, and changed here also without the network. */
export default function Products() {
	const { say } = useWords();
	const { catalogue } = useLocal();
	const mayManage = useMayManage();
	const asked = new URLSearchParams(useSearch());
	const linked = catalogue.byId.get(asked.get("id") ?? "");
	const [words, setWords] = useState("");
	const [edited, setEdited] = useState<Product | "new" | undefined>(
		asked.has("add") ? "new" : linked,
	);
	const [isActive, setActive] = useState(true);
	const found = useMemo(() => {
		if (!isActive) return catalogue.inactive;
		return words.trim() === ""
			? catalogue.products
			: catalogue.find(words, null);
	}, [catalogue, words, isActive]);
	return (
		<Stack className="page" h="100%" component="section">
			<Group justify="space-between">
				<Title order={1} size="h2">
					{say("app.products")}
				</Title>
				{mayManage && (
					<Group gap="xs">
						<Button
							variant="default"
							component="a"
							href="/api/products.csv"
							download
							size="md"
						>
							{say("app.export")}
						</Button>
						<Categories />
						<Import />
						<Button
							size="md"
							leftSection={<Plus size={18} aria-hidden />}
							onClick={() => setEdited("new")}
						>
							{say("products.add")}
						</Button>
					</Group>
				)}
			</Group>
			<TextInput
				size="md"
				type="search"
				aria-label={say("till.search")}
				placeholder={say("till.search")}
				value={words}
				onChange={(event) => setWords(event.currentTarget.value)}
			/>
			<Group justify="space-between">
				<Text size="sm" c="dimmed" role="status">
					{say("products.count", { count: found.length })}
				</Text>
				{catalogue.inactive.length > 0 && (
					<SegmentedControl
						value={isActive ? "active" : "inactive"}
						onChange={(value) => setActive(value === "active")}
						data={[
							{ value: "active", label: say("products.active") },
							{ value: "inactive", label: say("products.inactive") },
						]}
					/>
				)}
			</Group>
			<List products={found} onPick={setEdited} />
			<Drawer
				opened={edited !== undefined}
				onClose={() => setEdited(undefined)}
				position="right"
				title={say(edited === "new" ? "products.add" : "products.edit")}
			>
				{edited !== undefined && (
					<>
						<Form
							key={edited === "new" ? "new" : edited.id}
							product={edited === "new" ? undefined : edited}
							code={asked.get("code") ?? ""}
							onDone={() => setEdited(undefined)}
						/>
						{edited !== "new" && mayManage && <Picture product={edited} />}
						{edited !== "new" && !edited.isService && (
							<Stock key={`stock ${edited.id}`} product={edited} />
						)}
					</>
				)}
			</Drawer>
		</Stack>
	);
}

function List({
	products,
	onPick,
}: {
	products: readonly Product[];
	onPick(product: Product): void;
}) {
	const format = useFormat();
	const { say } = useWords();
	const scroll = useRef<HTMLDivElement>(null);
	const rows = useVirtualizer({
		count: products.length,
		getScrollElement: () => scroll.current,
		estimateSize: () => rowHeight,
		overscan: 8,
	});
	if (products.length === 0)
		return (
			<Text c="dimmed" ta="center" p="xl">
				{say("till.none")}
			</Text>
		);
	return (
		<div className="scroll" ref={scroll}>
			<div className="rows" style={{ height: rows.getTotalSize() }}>
				{rows.getVirtualItems().map(({ index, start }) => {
					const product = products[index] as Product;
					const { quantity, lowStock, isService } = product;
					return (
						<UnstyledButton
							key={product.id}
							className="row"
							style={{ transform: `translateY(${start}px)` }}
							onClick={() => onPick(product)}
						>
							<Text flex={1} truncate>
								{product.name}
							</Text>
							{!isService && (
								<Badge
									variant="light"
									color={quantity <= lowStock ? "red" : "gray"}
									tt="none"
								>
									{format.quantity(quantity)}
								</Badge>
							)}
							<Text className="amount" w={110} fw={600}>
								{product.sellingPrice === null
									? "–"
									: format.money(product.sellingPrice)}
							</Text>
						</UnstyledButton>
					);
				})}
			</div>
		</div>
	);
}

function Form({
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
	const [fields, setFields] = useState({
		name: product?.name ?? "",
		sku: product?.sku ?? code,
		buyingPrice: product?.buyingPrice ?? null,
		sellingPrice: product?.sellingPrice ?? null,
		quantity: product?.quantity ?? 0,
		lowStock: product?.lowStock ?? 5,
		isService: product?.isService ?? false,
		categoryId: product?.categoryId ?? null,
	});
	type Fields = typeof fields;
	const set = <K extends keyof Fields>(field: K, value: Fields[K]) =>
		setFields((now) => ({ ...now, [field]: value }));
	const number = (value: number | string) =>
		typeof value === "number" ? value : null;

	async function submit(event: FormEvent): Promise<void> {
		event.preventDefault();
		const { quantity, ...rest } = fields;
		const sku = rest.sku.trim() || null;
		if (product) {
			const isCounted = quantity !== product.quantity;
			await shop.mutate("product.update", () => ({
				id: product.id,
				set: { ...rest, sku, ...(isCounted ? { quantity } : {}) },
				...(isCounted ? { seenQuantity: product.quantity } : {}),
			}));
		} else
			await shop.mutate("product.create", () => ({
				...rest,
				id: newId(),
				sku,
				quantity,
			}));
		onDone();
	}

	if (!mayManage) return <Text>{say("app.noPermission")}</Text>;
	return (
		<form onSubmit={submit}>
			<Stack>
				<TextInput
					label={say("products.name")}
					required
					maxLength={500}
					value={fields.name}
					onChange={(event) => set("name", event.currentTarget.value)}
					data-autofocus
				/>
				<TextInput
					label={say("products.sku")}
					maxLength={100}
					value={fields.sku}
					onChange={(event) => set("sku", event.currentTarget.value)}
				/>
				<Group grow>
					<NumberInput
						label={say("products.buying")}
						min={0}
						decimalScale={6}
						value={fields.buyingPrice ?? ""}
						onChange={(value) => set("buyingPrice", number(value))}
					/>
					<NumberInput
						label={say("products.selling")}
						min={0}
						decimalScale={6}
						value={fields.sellingPrice ?? ""}
						onChange={(value) => set("sellingPrice", number(value))}
					/>
				</Group>
				<Switch
					label={say("products.service")}
					checked={fields.isService}
					onChange={(event) => set("isService", event.currentTarget.checked)}
				/>
				{!fields.isService && (
					<Group grow>
						<NumberInput
							label={say("products.stock")}
							decimalScale={6}
							value={fields.quantity}
							onChange={(value) => set("quantity", number(value) ?? 0)}
						/>
						<NumberInput
							label={say("products.low")}
							min={0}
							decimalScale={6}
							value={fields.lowStock}
							onChange={(value) => set("lowStock", number(value) ?? 0)}
						/>
					</Group>
				)}
				<Select
					label={say("products.category")}
					placeholder={say("products.noCategory")}
					clearable
					searchable
					data={catalogue.categories.map(({ id, name }) => ({
						value: id,
						label: name,
					}))}
					value={fields.categoryId}
					onChange={(value) => set("categoryId", value)}
				/>
				<Button type="submit" size="md">
					{say("app.save")}
				</Button>
				{product && !product.isActive && (
					<Button
						variant="subtle"
						onClick={async () => {
							await shop.mutate("product.update", () => ({
								id: product.id,
								set: { isActive: true },
							}));
							onDone();
						}}
					>
						{say("products.reactivate")}
					</Button>
				)}
				{product?.isActive && (
					<Button
						variant="subtle"
						color="red"
						onClick={async () => {
							await shop.mutate("product.delete", () => ({ id: product.id }));
							onDone();
						}}
					>
						{say("products.deactivate")}
					</Button>
				)}
			</Stack>
		</form>
	);
}
