import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Role, roles } from "../../../sync/entities/entity.ts";
import { ask } from "../api.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Busy } from "../components/busy.tsx";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { PasswordField } from "../components/password-field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { Tag } from "../components/tag.tsx";
import { useShop } from "../session.tsx";
import { PinForm } from "../staff/pin-form.tsx";
import { useWords } from "../words/index.ts";

interface Member {
	userId: string;
	name: string;
	email: string;
	role: Role;
	disabled: boolean;
}

const queryKey = ["members"];

/** The shop's members: their roles, and who is blocked. */
export function People() {
	const { say } = useWords();
	const { session } = useShop();
	const isOwner = session.role === "OWNER";
	const { data, error, isPending } = useQuery({
		queryKey,
		queryFn: () => ask<{ members: Member[] }>("GET", "/api/members"),
	});
	return (
		<Panel title={say("settings.people")}>
			{isPending && <Busy />}
			<LoadError error={error} />
			<div>
				{data?.members.map((member) => (
					<MemberRow key={member.userId} member={member} isOwner={isOwner} />
				))}
			</div>
			{isOwner && <AddPerson />}
		</Panel>
	);
}

function useRoleOptions() {
	const { say } = useWords();
	return roles.map((value) => ({
		value,
		label: say(`settings.role.${value}`),
	}));
}

function MemberRow({
	member: { userId, name, email, role, disabled },
	isOwner,
}: {
	member: Member;
	isOwner: boolean;
}) {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const options = useRoleOptions();
	const [isSettingPin, setPin] = useState(false);
	const change = (body: object) =>
		attempt(async () => {
			await ask("PATCH", `/api/members/${userId}`, body);
			await queries.invalidateQueries({ queryKey });
		});
	return (
		<div className="panel-row">
			<div className="grow">
				<span className="row-flex">
					<b>{name}</b>
					{disabled && <Tag tone="danger">{say("settings.lockedOut")}</Tag>}
				</span>
				<span className="text-s muted">{email}</span>
			</div>
			<div className="row-flex">
				<SelectField
					label={`${say("settings.role")}: ${name}`}
					isLabelHidden
					options={options}
					value={role}
					disabled={!isOwner || isBusy}
					onChange={(value) => change({ role: value })}
				/>
				{isOwner && (
					<Button
						aria-label={say("staff.setPinOf", { name })}
						aria-expanded={isSettingPin}
						onClick={() => setPin(!isSettingPin)}
					>
						PIN
					</Button>
				)}
				{isOwner && (
					<Button
						disabled={isBusy}
						onClick={() => change({ disabled: !disabled })}
					>
						{say(disabled ? "settings.letIn" : "settings.lockOut")}
					</Button>
				)}
			</div>
			{problem}
			{isSettingPin && (
				<PinForm userId={userId} role={role} onDone={() => setPin(false)} />
			)}
		</div>
	);
}

const nobody = { name: "", email: "", password: "", role: "CASHIER" };

function AddPerson() {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const options = useRoleOptions();
	const [typed, setTyped] = useState(nobody);
	const field = (name: keyof typeof nobody) => ({
		value: typed[name],
		onChange: (value: string) => setTyped({ ...typed, [name]: value }),
	});

	async function add(event: FormEvent): Promise<void> {
		event.preventDefault();
		const isAdded = await attempt(async () => {
			await ask("POST", "/api/members", typed);
			await queries.invalidateQueries({ queryKey });
		});
		if (isAdded) setTyped(nobody);
	}

	return (
		<form className="column-flex" onSubmit={add}>
			<h3>{say("settings.addPerson")}</h3>
			{problem}
			<div className="panel-fields">
				<TextField
					{...field("name")}
					label={say("settings.personName")}
					required
				/>
				<TextField
					{...field("email")}
					type="email"
					label={say("login.email")}
					required
				/>
				<PasswordField
					{...field("password")}
					label={say("login.password")}
					autoComplete="new-password"
					minLength={8}
					required
				/>
				<SelectField
					{...field("role")}
					label={say("settings.role")}
					options={options}
				/>
			</div>
			<div>
				<Button type="submit" kind="ink" isBusy={isBusy}>
					{say("settings.addPerson")}
				</Button>
			</div>
		</form>
	);
}
