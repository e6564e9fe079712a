import type { Business } from "../../../sync/entities/business.ts";
import {
	limitedRoles,
	type RoleLimits,
} from "../../../sync/entities/role-limits.ts";
import { Toggle } from "../components/toggle.tsx";
import { useWords } from "../words/index.ts";
import { DecimalSetting } from "./decimal-setting.tsx";
import { SavedSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";

const amounts = [
	"discountMax",
	"openItemMax",
	"refundMax",
	"voidMax",
	"cashOutMax",
] as const;
const permissions = {
	CASHIER: ["mayTakeBackOthers", "mayOpenDrawer", "seesProfit"],
	MANAGER: ["mayTakeBackOthers", "mayOpenDrawer"],
} as const;

/** How far cashiers and managers may go before somebody has to approve it. */
export function LimitsSection({ business }: { business: Business }) {
	const { say } = useWords();
	const limits = useSetting(business, "limits", say("settings.limits"));
	const lock = useSetting(business, "lockMinutes", say("settings.lock"));
	const list: readonly RoleLimits[] = limits.value ?? [];

	function set(role: RoleLimits["role"], change: Partial<RoleLimits>): void {
		const next = limitedRoles.flatMap((one) => {
			const before = list.find((limit) => limit.role === one);
			const after = { role: one, ...before, ...(one === role && change) };
			const given = Object.entries(after).filter(([, value]) => value != null);
			return given.length > 1 ? [Object.fromEntries(given) as RoleLimits] : [];
		});
		limits.change(next);
	}

	return (
		<SavedSection
			title={say("settings.limits")}
			isSaved={limits.isSaved || lock.isSaved}
		>
			<p>{say("settings.limitsLead")}</p>
			<div className="settings-limits">
				{limitedRoles.map((role) => {
					const own = list.find((one) => one.role === role);
					return (
						<fieldset key={role} className="column-flex">
							<legend className="strong">{say(`settings.role.${role}`)}</legend>
							{amounts.map((name) => (
								<DecimalSetting
									key={name}
									label={say(`settings.limit.${name}`)}
									setting={{
										value: own?.[name] ?? null,
										change: (value) => set(role, { [name]: value }),
										save: limits.save,
										error: limits.error,
									}}
								/>
							))}
							{permissions[role].map((name) => (
								<Toggle
									key={name}
									label={say(`settings.limit.${name}`)}
									checked={own?.[name] !== false}
									onChange={(isOn) =>
										set(role, { [name]: isOn ? undefined : false })
									}
								/>
							))}
						</fieldset>
					);
				})}
			</div>
			<div className="settings-narrow">
				<DecimalSetting label={say("settings.lock")} setting={lock} />
			</div>
			<p className="text-s muted">{say("settings.lockLead")}</p>
		</SavedSection>
	);
}
