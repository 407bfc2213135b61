import { TraceBoxCommand } from '@drumlin/semaphore/commands';
import { paginateScanSignalLamp } from '@drumlin/semaphore/pages';

export async function lights(client, region) {
	const names = [];
	for await (const lamp of paginateScanSignalLamp(client, { region, take: 150, down: true })) {
		names.push(lamp.name);
	}
	return names;
}

export async function who(client, id) {
	const page = await client.send(new TraceBoxCommand({ id, take: 5 }));
	return page.items.map((entry) => entry.by).reverse();
}
