// An event put together from its form: each field as large buttons, a list of facts, or a number pad.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { button, enable } from "./button.js";
import { createNumbers } from "./numbers.js";
import { createMany, createPicker, FEW } from "./picker.js";
import { capital, nameOf, spokenAs } from "./words.js";

// What is nearly always the first of its choices.
const USUALLY_FIRST = { strike: ["player", "squail"], stroke: ["ball"] };
const LIES_ON_THE_TABLE = new Set(["played", "short", "over", "claimable"]);

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function covers(wide, narrow) {
  if (wide.kind === "list") return narrow.kind === "choice" && narrow.choices.every(Array.isArray);
  if (wide.kind !== "choice" || narrow.kind !== "choice") return false;
  const values = new Set(wide.choices.map((value) => JSON.stringify(value)));
  return narrow.choices.every((value) => values.has(JSON.stringify(value)));
}

// Forms of one event of which a wider one says all that the others do become that one, in the place of the first.
export function merged(forms) {
  const names = (form) =>
    form.fields
      .map(({ name }) => name)
      .sort()
      .join();
  const groups = [];
  for (const form of forms) {
    const group = groups.find(([first]) => first.event === form.event && form.fields.length > 0 && names(first) === names(form));
    if (group) group.push(form);
    else groups.push([form]);
  }
  return groups.flatMap((group) => {
    const wide = group.find(
      (form) =>
        form.fields.some(({ kind }) => kind === "list") &&
        group.every((other) =>
          other.fields.every(
            (field) =>
              field.kind === "list" ||
              covers(
                form.fields.find(({ name }) => name === field.name),
                field,
              ),
          ),
        ),
    );
    return wide && group.length > 1 ? [{ ...wide, title: group[0].title }] : group;
  });
}

// Whether a field leaves nothing to choose.
export function isFixed(field) {
  return field.required && field.kind === "choice" && field.choices.length === 1;
}

// The event of a form that leaves nothing to choose; null for others.
export function onlyEvent(form) {
  if (!form.fields.every(isFixed)) return null;
  return { event: form.event, ...Object.fromEntries(form.fields.map(({ name, choices }) => [name, choices[0]])) };
}

export function matches(form, event) {
  if (form.event !== event.event) return false;
  const given = Object.keys(event).filter((name) => name !== "event");
  return (
    given.every((name) => form.fields.some((field) => field.name === name)) &&
    form.fields.every((field) => {
      const value = event[field.name];
      if (value === undefined) return !field.required;
      if (field.kind === "list")
        return Array.isArray(value) && value.every((one) => field.choices.some((choice) => same(choice, one)));
      return field.kind !== "choice" || field.choices.some((choice) => same(choice, value));
    })
  );
}

// The names in an object of numbers: the rules leave them to whoever knows the table.
function rowsOf(form, field, score, before) {
  if (field.name === "distance_mm") return ["A", "B"];
  if (form.event === "lead_trial") return score.sides.map(({ id }) => id);
  const lying = Object.entries(score.position.squails ?? {}).filter(([, status]) => LIES_ON_THE_TABLE.has(status));
  return [...new Set([...Object.keys(before ?? {}), ...lying.map(([squail]) => squail)])];
}

function isUsual(form, { name }) {
  return USUALLY_FIRST[form.event]?.includes(name) ?? false;
}

// The event of a form of which all is usual, and the rest may be left out; null for others, and where there is nothing to add.
export function usualEvent(form) {
  if (
    !form.fields.some((field) => !isFixed(field)) ||
    !form.fields.every((field) => isFixed(field) || isUsual(form, field) || !field.required)
  )
    return null;
  const said = form.fields.filter(({ required }) => required);
  return { event: form.event, ...Object.fromEntries(said.map(({ name, choices }) => [name, choices[0]])) };
}

// `enter(event)` is called with the whole event, and gives a promise. Gives {body, foot} for a sheet.
export function compose(form, enter, { score, event: before }) {
  const [usual, unusual] = [true, false].map((wanted) =>
    form.fields.filter((field) => !isFixed(field) && isUsual(form, field) === wanted),
  );
  const open = [...unusual, ...usual];
  const values = { ...onlyEvent({ ...form, fields: form.fields.filter(isFixed) }) };
  for (const field of open) {
    const first = usual.includes(field) ? field.choices[0] : undefined;
    const start = before?.[field.name] ?? (field.kind === "list" ? [] : first);
    if (start !== undefined) values[field.name] = start;
  }
  const wanted = () => open.filter((field) => field.required && values[field.name] === undefined);
  const quick = open.every((field) => field.required && field.kind === "choice") && before === undefined;
  const entering = button("", () => enter(values), { class: "primary enter" });

  function check() {
    const missing = wanted();
    enable(entering, missing.length === 0);
    entering.replaceChildren(
      missing.length ? t("marker.stillWanted", { what: missing.map(({ title }) => title).join(", ") }) : t("marker.enter"),
    );
  }

  function set(field, value) {
    values[field.name] = value;
    check();
    return quick && wanted().length === 0 ? enter(values) : undefined;
  }

  function inputOf(field) {
    const label = field.title;
    const chosen = values[field.name];
    if (field.kind === "choice" && field.required)
      return createPicker(field.choices, (value) => set(field, value), { label, name: field.name, chosen });
    if (field.kind === "choice" && field.choices.length > FEW)
      return createPicker(field.choices, (value) => set(field, value), { label, name: field.name, chosen, optional: true });
    if (field.kind === "choice") return createOptional(field, (value) => set(field, value), chosen);
    if (field.kind === "list") return createMany(field.choices, (list) => set(field, list), { label, chosen });
    if (field.kind === "number")
      return createNumbers([field.title], (numbers) => set(field, numbers[field.title]), {
        label,
        values: chosen === undefined ? {} : { [field.title]: chosen },
      });
    if (field.kind === "text") {
      const input = h("input", { type: "text", "aria-label": label, value: chosen });
      input.addEventListener("input", () => set(field, input.value || undefined));
      return input;
    }
    const rows = rowsOf(form, field, score, chosen);
    if (!field.required || rows.length === 0) return null;
    const out = field.name === "gaps_mm";
    return createNumbers(
      rows,
      (numbers) => set(field, out || Object.keys(numbers).length === rows.length ? numbers : undefined),
      { label, values: chosen, out },
    );
  }

  const body = open.flatMap((field) => {
    const input = inputOf(field);
    return input ? [h("h3", {}, field.title), input] : [];
  });
  if (form.side) body.unshift(h("p", { class: "whose" }, nameOf(form.side)));
  check();
  return { title: capital(form.title), body, foot: [entering] };
}

// A choice that may be left out: another tap takes it away.
function createOptional(field, set, chosen) {
  let value = chosen;
  const buttons = field.choices.map((choice) => button("", () => pick(choice), { class: "choice" }));
  const element = h("div", { class: "picker optional", role: "group", "aria-label": field.title }, ...buttons);

  function pick(choice) {
    value = same(choice, value) ? undefined : choice;
    show();
    set(value);
  }

  function show() {
    field.choices.forEach((choice, place) => {
      buttons[place].setAttribute("aria-pressed", String(same(choice, value)));
      buttons[place].replaceChildren(capital(spokenAs(field.name, choice)));
    });
  }

  show();
  return element;
}
