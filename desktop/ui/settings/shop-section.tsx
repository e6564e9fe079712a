import { useMemo } from "react";
import { Link } from "wouter";
import type { Business } from "../../../sync/entities/business.ts";
import { TextField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { Toggle } from "../components/toggle.tsx";
import { useWords } from "../words/index.ts";
import { SavedSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";

const hours = Array.from({ length: 24 }, (_, hour) => ({
	value: String(hour),
	label: `${String(hour).padStart(2, "0")}:00`,
}));

/** The shop's name, its day and what its cashiers may do. */
export function ShopSection({ business }: { business: Business }) {
	const { say, language } = useWords();
	const name = useSetting(business, "name", say("setup.shop"));
	const timeZone = useSetting(business, "timeZone", say("setup.timeZone"));
	const cutOff = useSetting(business, "cutOffHour", say("settings.cutOff"));
	const openItems = useSetting(
		business,
		"openItems",
		say("settings.openItemsShort"),
	);
	const zones = useMemo(
		() => timeZoneChoices(business.timeZone, language),
		[business.timeZone, language],
	);
	return (
		<SavedSection
			title={say("settings.business")}
			isSaved={[name, timeZone, cutOff, openItems].some((one) => one.isSaved)}
		>
			<TextField
				label={say("setup.shop")}
				value={name.value}
				onChange={name.change}
				onBlur={name.save}
				error={name.error}
			/>
			<div className="panel-fields">
				<SelectField
					label={say("setup.timeZone")}
					options={zones}
					value={timeZone.value}
					onChange={timeZone.change}
					onBlur={timeZone.save}
				/>
				<SelectField
					label={say("settings.cutOff")}
					options={hours}
					value={String(cutOff.value)}
					onChange={(hour) => cutOff.change(Number(hour))}
					onBlur={cutOff.save}
				/>
			</div>
			<Toggle
				label={say("settings.openItems")}
				note={say("settings.openItemsLead")}
				// A business saved by an older version of the app has no `openItems`.
				checked={openItems.value ?? false}
				onChange={openItems.change}
			/>
			<p className="text-s">
				<Link className="link" href="/start">
					{say("settings.fill")}
				</Link>
			</p>
		</SavedSection>
	);
}

/** The regions, as some browsers name them, of the areas that time zones are named by; oceans have no names there. */
const regionOfArea: Record<string, string> = {
	Africa: "002",
	America: "019",
	Antarctica: "AQ",
	Asia: "142",
	Australia: "AU",
	Europe: "150",
	Pacific: "009",
};

/** All time zones by their cities. */
function timeZoneChoices(own: string, language: string) {
	// Chromium names hardly any region larger than a country: the city must do.
	const regions = new Intl.DisplayNames(language, {
		type: "region",
		fallback: "none",
	});
	return [...new Set([own, ...Intl.supportedValuesOf("timeZone")])]
		.map((value) => {
			const [area = "", ...rest] = value.replaceAll("_", " ").split("/");
			const city = rest.at(-1);
			const region = regionOfArea[area];
			const place = region ? regions.of(region) : area;
			return {
				value,
				label: [city ?? area, city && place].filter(Boolean).join(", "),
			};
		})
		.toSorted((a, b) => a.label.localeCompare(b.label, language));
}
