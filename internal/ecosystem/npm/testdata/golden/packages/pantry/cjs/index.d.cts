declare function store(): void;
export = store;
