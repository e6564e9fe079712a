import {
	Badge,
	Button,
	Group,
	PasswordInput,
	Select,
	Stack,
	Text,
	TextInput,
	Title,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Role, roles } from "../../../sync/entities/entity.ts";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

interface Member {
	userId: string;
	name: string;
	email: string;
	role: Role;
	disabled: boolean;
}

/** The shop's members: their roles, and who is blocked. */
export function People() {
	const { say } = useWords();
	const { session } = useShop();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const isOwner = session.role === "OWNER";
	const { data, error } = useQuery({
		queryKey: ["members"],
		queryFn: () => ask<{ members: Member[] }>("GET", "/api/members"),
	});
	const roleOptions = roles.map((role) => ({
		value: role,
		label: say(`settings.role.${role}`),
	}));
	const form = useForm({
		initialValues: { name: "", email: "", password: "", role: "CASHIER" },
	});
	const refresh = () => queries.invalidateQueries({ queryKey: ["members"] });
	const change = (id: string, body: object) =>
		attempt(async () => {
			await ask("PATCH", `/api/members/${id}`, body);
			await refresh();
		});

	async function add(fields: typeof form.values): Promise<void> {
		const isAdded = await attempt(async () => {
			await ask("POST", "/api/members", fields);
			await refresh();
		});
		if (isAdded) form.reset();
	}

	return (
		<Panel title={say("settings.people")}>
			{problem}
			<LoadError error={error} />
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
								disabled={!isOwner || isBusy}
								onChange={(value) => change(userId, { role: value })}
							/>
							{isOwner && (
								<Button
									variant="default"
									disabled={isBusy}
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
				<form onSubmit={form.onSubmit(add)}>
					<Title order={3} size="h5" mt="md" mb="xs">
						{say("settings.addPerson")}
					</Title>
					<Group align="flex-end">
						<TextInput
							{...form.getInputProps("name")}
							label={say("settings.personName")}
							required
						/>
						<TextInput
							{...form.getInputProps("email")}
							type="email"
							label={say("login.email")}
							required
						/>
						<PasswordInput
							{...form.getInputProps("password")}
							label={say("login.password")}
							autoComplete="new-password"
							minLength={8}
							w={180}
							required
						/>
						<Select
							{...form.getInputProps("role")}
							label={say("settings.role")}
							w={140}
							data={roleOptions}
							allowDeselect={false}
						/>
						<Button type="submit" loading={isBusy}>
							{say("settings.addPerson")}
						</Button>
					</Group>
				</form>
			)}
		</Panel>
	);
}
