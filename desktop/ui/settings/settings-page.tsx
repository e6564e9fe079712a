import { Stack, Title } from "@mantine/core";
import { useMayManage, useShop } from "../session.tsx";
import { useBusiness } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { BusinessForm } from "./business.tsx";
import { Devices } from "./devices.tsx";
import { People } from "./people.tsx";
import { Preferences } from "./preferences.tsx";
import { ReceiptPrinter } from "./printer.tsx";
import { Review } from "./review.tsx";
import { Scanner } from "./scanner.tsx";

/** Settings of the business, its members, its tills, this device and this user. */
export default function Settings() {
	const { say } = useWords();
	const { session } = useShop();
	const business = useBusiness();
	const mayManage = useMayManage();
	return (
		<Stack className="page" component="section" maw={900}>
			<Title order={1} size="h2">
				{say("app.settings")}
			</Title>
			{session.role === "OWNER" && business && (
				<BusinessForm business={business} />
			)}
			{mayManage && <People />}
			{mayManage && <Devices />}
			<Scanner />
			<ReceiptPrinter />
			<Preferences />
			<Review />
		</Stack>
	);
}
