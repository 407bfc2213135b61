declare const GLOBAL: string;
