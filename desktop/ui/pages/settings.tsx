import {
	Alert,
	Badge,
	Button,
	Card,
	Group,
	NumberInput,
	PasswordInput,
	Rating,
	Select,
	Stack,
	Switch,
	Table,
	Text,
	Textarea,
	TextInput,
	Title,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { type Role, roles } from "../../../sync/entity.ts";
import { ask } from "../api.ts";
import { useFormat } from "../format.ts";
import { ScanCodes } from "../parts/scan-codes.tsx";
import { useLocal, useMayManage, useShop } from "../session.tsx";
import {
	readPrefix,
	readsByPosition,
	setByPosition,
	useScanner,
	writePrefix,
} from "../till/scanner.ts";
import { useWords } from "../words/index.ts";

/** The business, who works in it and on what, and what one wants to hear of. */
export default function Settings() {
	const { say } = useWords();
	const { session } = useShop();
	const { business } = useLocal();
	const mayManage = useMayManage();
	return (
		<Stack className="page" component="section" maw={900}>
			<Title order={1} size="h2">
				{say("app.settings")}
			</Title>
			{session.role === "OWNER" && business && (
				<BusinessForm key={business.updatedAt} business={business} />
			)}
			{mayManage && <People />}
			{mayManage && <Devices />}
			<Scanner />
			<Preferences />
			<Review />
		</Stack>
	);
}

function Part({ title, children }: { title: string; children: ReactNode }) {
	return (
		<Card withBorder component="section">
			<Title order={2} size="h4" mb="sm">
				{title}
			</Title>
			{children}
		</Card>
	);
}

/** Does something and shows why it could not be done. */
function useAttempt() {
	const [problem, setProblem] = useState<string>();
	const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
		setProblem(undefined);
		try {
			await work();
			return true;
		} catch (error) {
			setProblem((error as Error).message);
			return false;
		}
	};
	const shown = problem && (
		<Alert color="red" role="alert" mb="sm">
			{problem}
		</Alert>
	);
	return { attempt, shown };
}

function BusinessForm({ business }: { business: Business }) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, shown } = useAttempt();
	const [isSaved, setSaved] = useState(false);

	async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
		event.preventDefault();
		const fields = new FormData(event.currentTarget);
		const text = (name: string) => String(fields.get(name) ?? "").trim();
		const body = {
			name: text("name"),
			currency: text("currency"),
			timeZone: text("timeZone"),
			cutOffHour: Number(text("cutOffHour")),
			receiptHeader: text("receiptHeader") || null,
			receiptFooter: text("receiptFooter") || null,
		};
		setSaved(
			await attempt(async () => {
				await ask("PATCH", "/api/business", body);
				await shop.sync();
			}),
		);
	}

	return (
		<Part title={say("settings.business")}>
			{shown}
			<form onSubmit={submit}>
				<Stack gap="sm">
					<TextInput
						name="name"
						label={say("setup.shop")}
						defaultValue={business.name}
						required
					/>
					<Group grow>
						<Select
							name="currency"
							label={say("setup.currency")}
							data={Intl.supportedValuesOf("currency")}
							defaultValue={business.currency}
							allowDeselect={false}
							searchable
						/>
						<Select
							name="timeZone"
							label={say("setup.timeZone")}
							data={[
								...new Set([
									business.timeZone,
									...Intl.supportedValuesOf("timeZone"),
								]),
							]}
							defaultValue={business.timeZone}
							allowDeselect={false}
							searchable
						/>
						<NumberInput
							name="cutOffHour"
							label={say("settings.cutOff")}
							min={0}
							max={23}
							defaultValue={business.cutOffHour}
						/>
					</Group>
					<Textarea
						name="receiptHeader"
						label={say("settings.header")}
						defaultValue={business.receiptHeader ?? ""}
						autosize
						minRows={2}
					/>
					<Textarea
						name="receiptFooter"
						label={say("settings.footer")}
						defaultValue={business.receiptFooter ?? ""}
						autosize
						minRows={2}
					/>
					<Group>
						<Button type="submit">{say("app.save")}</Button>
						{isSaved && <Text role="status">{say("products.saved")}</Text>}
					</Group>
				</Stack>
			</form>
		</Part>
	);
}

interface Member {
	userId: string;
	name: string;
	email: string;
	role: Role;
	disabled: boolean;
}

function People() {
	const { say } = useWords();
	const { session } = useShop();
	const queries = useQueryClient();
	const { attempt, shown } = useAttempt();
	const isOwner = session.role === "OWNER";
	const { data, isError } = useQuery({
		queryKey: ["members"],
		queryFn: () => ask<{ members: Member[] }>("GET", "/api/members"),
	});
	const roleOptions = roles.map((role) => ({
		value: role,
		label: say(`settings.role.${role}`),
	}));
	const refresh = () => queries.invalidateQueries({ queryKey: ["members"] });
	const change = (id: string, body: object) =>
		attempt(async () => {
			await ask("PATCH", `/api/members/${id}`, body);
			await refresh();
		});

	async function add(event: FormEvent<HTMLFormElement>): Promise<void> {
		event.preventDefault();
		const form = event.currentTarget;
		const fields = Object.fromEntries(new FormData(form));
		const isAdded = await attempt(async () => {
			await ask("POST", "/api/members", fields);
			await refresh();
		});
		if (isAdded) form.reset();
	}

	return (
		<Part title={say("settings.people")}>
			{shown}
			{isError && <Text c="dimmed">{say("app.offline")}</Text>}
			<Stack gap="xs">
				{data?.members.map(({ userId, name, email, role, disabled }) => (
					<Group key={userId} justify="space-between">
						<Stack gap={0}>
							<Text>
								{name}{" "}
								{disabled && (
									<Badge color="red" variant="light" tt="none">
										{say("settings.lockedOut")}
									</Badge>
								)}
							</Text>
							<Text size="sm" c="dimmed">
								{email}
							</Text>
						</Stack>
						<Group gap="xs">
							<Select
								aria-label={`${say("settings.role")}: ${name}`}
								w={140}
								data={roleOptions}
								value={role}
								allowDeselect={false}
								disabled={!isOwner}
								onChange={(value) => change(userId, { role: value })}
							/>
							{isOwner && (
								<Button
									variant="default"
									onClick={() => change(userId, { disabled: !disabled })}
								>
									{say(disabled ? "settings.letIn" : "settings.lockOut")}
								</Button>
							)}
						</Group>
					</Group>
				))}
			</Stack>
			{isOwner && (
				<form onSubmit={add}>
					<Title order={3} size="h5" mt="md" mb="xs">
						{say("settings.addPerson")}
					</Title>
					<Group align="flex-end">
						<TextInput name="name" label={say("setup.name")} required />
						<TextInput
							name="email"
							type="email"
							label={say("login.email")}
							required
						/>
						<PasswordInput
							name="password"
							label={say("login.password")}
							autoComplete="new-password"
							minLength={8}
							w={180}
							required
						/>
						<Select
							name="role"
							label={say("settings.role")}
							w={140}
							data={roleOptions}
							defaultValue="CASHIER"
							allowDeselect={false}
						/>
						<Button type="submit">{say("settings.addPerson")}</Button>
					</Group>
				</form>
			)}
		</Part>
	);
}

interface Device {
	id: string;
	prefix: string;
	lastSeenAt: string;
}

function Devices() {
	const { say } = useWords();
	const format = useFormat();
	const { data, isError } = useQuery({
		queryKey: ["devices"],
		queryFn: () => ask<{ devices: Device[] }>("GET", "/api/devices"),
	});
	return (
		<Part title={say("settings.devices")}>
			{isError && <Text c="dimmed">{say("app.offline")}</Text>}
			<Table>
				<Table.Tbody>
					{data?.devices.map(({ id, prefix, lastSeenAt }) => (
						<Table.Tr key={id}>
							<Table.Td>{say("sync.prefix", { prefix })}</Table.Td>
							<Table.Td>
								{say("settings.lastSeen", { when: format.moment(lastSeenAt) })}
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Part>
	);
}

/** What a scanner really sends, key by key. */
function Scanner() {
	const { say } = useWords();
	const [heard, setHeard] = useState<string>();
	const [prefix, setPrefix] = useState(readPrefix());
	const [isByPosition, setByPositionShown] = useState(readsByPosition());
	useScanner((_code, raw) => setHeard(raw));
	return (
		<Part title={say("settings.scanner")}>
			<Stack gap="sm">
				<TextInput
					label={say("settings.scannerPrefix")}
					value={prefix}
					maxLength={10}
					w={260}
					onChange={({ currentTarget: { value } }) => {
						setPrefix(value);
						writePrefix(value);
					}}
				/>
				<Switch
					label={say("settings.scannerPosition")}
					checked={isByPosition}
					onChange={({ currentTarget: { checked } }) => {
						setByPositionShown(checked);
						setByPosition(checked);
					}}
				/>
				<ScanCodes />
				<Text c="dimmed">{say("settings.scannerTest")}</Text>
				<Text role="status" ff="monospace" fz="lg">
					{heard === undefined
						? "…"
						: `${heard} (${heard.length}) ${[...heard]
								.map((letter) => letter.codePointAt(0)?.toString(16))
								.join(" ")}`}
				</Text>
			</Stack>
		</Part>
	);
}

interface Preference {
	type: "sales" | "inventory" | "customers" | "system" | "business";
	enabled: boolean;
}

function Preferences() {
	const { say } = useWords();
	const queries = useQueryClient();
	const path = "/api/notifications/preferences";
	const { data, isError } = useQuery({
		queryKey: ["preferences"],
		queryFn: () => ask<{ preferences: Preference[] }>("GET", path),
	});
	return (
		<Part title={say("settings.notify")}>
			{isError && <Text c="dimmed">{say("app.offline")}</Text>}
			<Group>
				{data?.preferences.map(({ type, enabled }) => (
					<Switch
						key={type}
						label={say(`settings.type.${type}`)}
						checked={enabled}
						onChange={async (event) => {
							const body = { type, enabled: event.currentTarget.checked };
							queries.setQueryData(
								["preferences"],
								await ask("PATCH", path, body),
							);
						}}
					/>
				))}
			</Group>
		</Part>
	);
}

function Review() {
	const { say } = useWords();
	const { attempt, shown } = useAttempt();
	const [rating, setRating] = useState(0);
	const [text, setText] = useState("");
	const [isSent, setSent] = useState(false);
	return (
		<Part title={say("settings.review")}>
			{shown}
			{isSent ? (
				<Text role="status">{say("settings.thanks")}</Text>
			) : (
				<Stack gap="sm" align="flex-start">
					<Rating
						size="xl"
						value={rating}
						onChange={setRating}
						aria-label={say("settings.rating")}
						getSymbolLabel={(value) => `${value} / 5`}
					/>
					<Textarea
						aria-label={say("settings.review")}
						w="100%"
						value={text}
						maxLength={5_000}
						onChange={(event) => setText(event.currentTarget.value)}
						autosize
						minRows={2}
					/>
					<Button
						disabled={rating === 0 || text.trim() === ""}
						onClick={async () =>
							setSent(
								await attempt(() =>
									ask("POST", "/api/reviews", { rating, text }),
								),
							)
						}
					>
						{say("settings.send")}
					</Button>
				</Stack>
			)}
		</Part>
	);
}
