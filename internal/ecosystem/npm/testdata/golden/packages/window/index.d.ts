import * as React from 'react';
import { Flour } from '@bakery/flour';

/** Props of a cake. */
export interface CakeProps extends React.HTMLAttributes<HTMLDivElement> {
  /** How many layers. */
  layers?: number;
  flour: Flour;
  onEat?: (bites: number) => void;
  children?: React.ReactNode;
}
/** A cake. */
export declare function Cake(props: CakeProps): React.JSX.Element;
/** A tart. */
export declare const Tart: React.FC<{ fruit: 'plum' | 'pear'; sweet?: boolean } & Pick<CakeProps, 'layers'>>;
export declare const Tray: React.ForwardRefExoticComponent<Omit<CakeProps, 'flour'> & React.RefAttributes<HTMLDivElement>>;
export declare class Glass extends React.Component<{ dirty: boolean; size?: number }, { broken: boolean }> {
  static defaultProps: { size: number };
  wipe(): void;
}
export declare const Menu: React.MemoExoticComponent<typeof Cake> & { Item: typeof Tart; Divider: React.FC };
export declare function List<T extends { id: string }>(props: { items: T[]; render: (item: T) => React.ReactNode }): React.ReactElement | null;
export declare function useWindow(open?: boolean): [boolean, React.Dispatch<React.SetStateAction<boolean>>];
export declare const Context: React.Context<Flour | null>;
