// What is typed into an input whose value is in the URL. The URL changes later than the input, and not at once:
// it must not take back what was typed meanwhile.
import { useEffect, useRef, useState } from 'react';

type Options = {
  /** The value in the URL; empty without one. */
  value: string;
  /** Changes the URL. */
  onChange: (value: string) => void;
  /** The value that a text stands for; null while the text is incomplete. */
  read?: (typed: string) => string | null;
  /** The time after the last key until the value is applied; null if only `apply` applies it. */
  delayMilliseconds?: number | null;
};

const trimmed = (typed: string) => typed.trim();

export function useTypedValue({ value, onChange, read = trimmed, delayMilliseconds = 300 }: Options) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  /** The values that were applied and have not reached the URL yet. */
  const [applied, setApplied] = useState<readonly string[]>([]);
  if (value !== seen) {
    const own = applied.indexOf(value);
    setSeen(value);
    setApplied(own < 0 ? [] : applied.slice(own + 1));
    // The URL was changed by something else, such as the Back button.
    if (own < 0) setTyped(value);
  }
  const target = applied.at(-1) ?? value;

  function apply(text = typed) {
    const next = text === target ? target : read(text);
    if (next === null || next === target) return;
    setApplied([...applied, next]);
    onChange(next);
  }

  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => {
    if (delayMilliseconds === null || typed === target) return;
    const timer = setTimeout(() => latest.current(), delayMilliseconds);
    return () => clearTimeout(timer);
  }, [typed, target, delayMilliseconds]);

  return { typed, setTyped, apply };
}
