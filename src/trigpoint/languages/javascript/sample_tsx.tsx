import React, { useState, type ReactNode } from "react";
import { Card } from "./card";
import * as ui from "./ui";

type Props = { title: string; children?: ReactNode };

/** One line of the list. */
export const Row: React.FC<Props> = ({ title, children }) => {
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen((was) => !was);
  return (
    <ui.Line onClick={toggle} {...rest(title)}>
      {open && <Card key={title} render={() => <b>{format(title)}</b>} />}
      {children}
    </ui.Line>
  );
};

export const Fancy = React.memo(React.forwardRef<HTMLDivElement, Props>((props, ref) => {
  const { data, isLoading } = useQuery({ queryFn: () => load(props.title), enabled: true });
  return isLoading ? <Spinner /> : <div ref={ref}>{data.map((one) => <Row {...one} />)}</div>;
}));

const identity = <T,>(value: T): T => value;

export default function Page() {
  return <><Row title="a" /><Fancy title={identity("b")} /></>;
}
