export async function tanks(glass, house) {
	const titles = [];
	for await (const tank of glass.rainTanks.browseAll({ house, size: 200, cleared: true })) {
		titles.push(tank.title);
	}
	return titles;
}

export async function who(glass, id) {
	const page = await glass.bees.diary({ id, size: 3 });
	return page.items.map((entry) => entry.by).reverse();
}
