interface HTMLElement { id: string }
interface HTMLDivElement extends HTMLElement { align: string }
interface Window { name: string }
interface Event { readonly type: string }
