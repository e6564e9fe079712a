import {
	Apple,
	Baby,
	Banana,
	BatteryFull,
	Bean,
	Beef,
	Beer,
	Bone,
	BottleWine,
	Brush,
	Cake,
	Candy,
	Carrot,
	Cherry,
	Citrus,
	Coffee,
	Cookie,
	Croissant,
	CupSoda,
	Droplet,
	Drumstick,
	Egg,
	Fish,
	Flame,
	GlassWater,
	IceCreamCone,
	Key,
	LeafyGreen,
	Lightbulb,
	type LucideIcon,
	Milk,
	Newspaper,
	Notebook,
	Nut,
	Package,
	Pencil,
	Pill,
	Popcorn,
	Sandwich,
	Scissors,
	Shirt,
	ShoppingBag,
	Smartphone,
	SoapDispenserDroplet,
	Soup,
	SprayCan,
	Toilet,
	Umbrella,
	WashingMachine,
	Wheat,
} from "lucide-react";

/** A glyph for a product without a picture, by words of its name in English and Swahili; the first match counts. */
const glyphs: [words: RegExp, glyph: LucideIcon][] = [
	[/\b(airtime|credo|vocha|bundles?|phone|simu)\b/, Smartphone],
	[/\b(batter(y|ies)|betri)\b/, BatteryFull],
	[/\b(bulb|led|taa|balbu|torch)\b/, Lightbulb],
	[/\b(match(es)?|kiberiti|candles?|mishumaa|lighter|charcoal|makaa)\b/, Flame],
	[/\b(nappy|nappies|diapers?|wipes|baby)\b/, Baby],
	[/\b(toilet|tissue|serviettes?)\b/, Toilet],
	[/\b(omo|detergent|washing|laundry|sabuni ya unga)\b/, WashingMachine],
	[/\b(bleach|safi|jik|cleaner|polish|freshener|insecticide|doom)\b/, SprayCan],
	[
		/\b(soap|sabuni|shampoo|lotion|dettol|geisha|jelly|deodorant)\b/,
		SoapDispenserDroplet,
	],
	[/\b(brush|broom|fagio|mop|toothpaste|colgate)\b/, Brush],
	[/\b(book|daftari|exercise|notebook|paper pad)\b/, Notebook],
	[/\b(biro|pen|pens|pencil|kalamu|marker)\b/, Pencil],
	[/\b(newspaper|gazeti|magazine)\b/, Newspaper],
	[/\b(bag|bags|mfuko|mifuko|liners?|carrier)\b/, ShoppingBag],
	[/\b(panadol|tablets?|dawa|plaster|syrup|vitamin)\b/, Pill],
	[/\b(umbrella|mwavuli)\b/, Umbrella],
	[/\b(shirt|socks?|soksi|nguo|slippers?|sandals?|ndala)\b/, Shirt],
	[/\b(key|padlock|kufuli)\b/, Key],
	[/\b(scissors|razor|blade|wembe)\b/, Scissors],
	[/\b(soda|coke|coca|fanta|sprite|pepsi|juice|juisi|ribena)\b/, CupSoda],
	[/\b(water|maji)\b/, GlassWater],
	[/\b(beer|bia|tusker|lager)\b/, Beer],
	[/\b(wine|divai|gin|whisky|vodka)\b/, BottleWine],
	[/\b(tea|chai|majani|coffee|kahawa|cocoa|kakao|milo)\b/, Coffee],
	[/\b(ice cream)\b/, IceCreamCone],
	[/\b(milk|maziwa|mala|yog[h]?urt|cream|butter|siagi|cheese|jibini)\b/, Milk],
	[/\b(eggs?|mayai|yai)\b/, Egg],
	[/\b(cake|keki|scones?)\b/, Cake],
	[/\b(biscuits?|biskuti|cookies?|wafers?)\b/, Cookie],
	[/\b(mandazi|croissant|doughnuts?|chapati|bun|buns)\b/, Croissant],
	[
		/\b(bread|mkate|loaf|toast|sandwich|jam|peanut butter|blue band|margarine)\b/,
		Sandwich,
	],
	[/\b(sweets?|peremende|chocolates?|candy|gum|lollipop)\b/, Candy],
	[/\b(crisps|popcorn|snacks?|bisi)\b/, Popcorn],
	[/\b(ground ?nuts?|peanuts?|karanga|nuts?|korosho|cashews?)\b/, Nut],
	[/\b(beans|maharage|maharagwe|lentils|dengu|ndengu|peas|kunde)\b/, Bean],
	[
		/\b(flour|unga|maize|mahindi|wheat|ngano|rice|mchele|oats|pasta|spaghetti|weetabix|ugali)\b/,
		Wheat,
	],
	[
		/\b(oil|mafuta|petrol|paraffin|kerosene|honey|asali|sauce|vinegar)\b/,
		Droplet,
	],
	[/\b(soup|stock|cubes?|royco|spices?|salt|chumvi|pepper|noodles)\b/, Soup],
	[/\b(fish|samaki|tuna|sardines?|omena|dagaa)\b/, Fish],
	[/\b(beef|nyama|meat|sausages?|mutton|goat)\b/, Beef],
	[/\b(chicken|kuku)\b/, Drumstick],
	[/\b(dog|cat|pet)\b/, Bone],
	[/\b(bananas?|ndizi)\b/, Banana],
	[/\b(oranges?|machungwa|lemons?|limau|limes?)\b/, Citrus],
	[
		/\b(carrots?|karoti|potato(es)?|viazi|onions?|vitunguu|arrowroots?)\b/,
		Carrot,
	],
	[/\b(tomato(es)?|nyanya|berries|cherry|grapes|zabibu)\b/, Cherry],
	[
		/\b(apples?|tufaha|mango(es)?|maembe|avocados?|parachichi|pineapple|fruit)\b/,
		Apple,
	],
	[
		/\b(sukuma|cabbage|kabeji|spinach|mchicha|lettuce|kale|greens|vegetables?|mboga)\b/,
		LeafyGreen,
	],
];

const known = new Map<string, LucideIcon>();

/** Finds the glyph for a product's name; a plain package if no word of it is known. */
export function glyphOf(name: string): LucideIcon {
	let glyph = known.get(name);
	if (!glyph) {
		const words = name.toLowerCase();
		glyph = glyphs.find(([pattern]) => pattern.test(words))?.[1] ?? Package;
		// As many as a till shows in a day.
		if (known.size > 5_000) known.clear();
		known.set(name, glyph);
	}
	return glyph;
}
