import { useId } from 'react'
import * as v from 'valibot'
import { requiredText } from '#kit/contract/schema.ts'
import { ChoiceCard } from '#kit/web/form/ChoiceCard.tsx'
import { FieldNote } from '#kit/web/form/FieldNote.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import { Price } from '#kit/web/widgets/Price.tsx'
import { Section } from './Section.tsx'
import * as s from './guide.module.css'

const plans = [
  { value: 'small', title: '5 GB', more: 'every 30 days', cents: 2_200, was: null },
  { value: 'large', title: '25 GB', more: 'every 30 days, 3 times: 75 GB in all', cents: 10_940, was: 12_900 },
  {
    value: 'long',
    title: '60 GB',
    more: 'every 30 days, 12 times, with a description that goes on for longer than anybody would write one',
    cents: 120_360,
    was: 141_600,
  },
]

const message = 'Please select a Prepay Plan.'

export function ChoiceCardsSection() {
  const id = useId()
  const form = useForm({
    schema: v.object({ plan: requiredText(message) }),
    initial: { plan: 'large' },
    submit: async () => {},
  })
  const { name, onBlur, ...control } = form.field('plan').control
  return (
    <Section
      title="Choice cards and prices"
      note="Choice cards are radio buttons: Tab reaches the group, and the arrow keys choose a card. The whole card can be pressed."
    >
      <form {...form.props}>
        <fieldset
          role="radiogroup"
          {...control}
          onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || onBlur(event)}
        >
          <legend className="visually-hidden">Prepay Plan</legend>
          <div className={s.cards}>
            {plans.map(({ value, title, more, cents, was }) => (
              <ChoiceCard
                key={value}
                name={name}
                value={value}
                checked={form.values.plan === value}
                onChoose={() => form.set('plan', value)}
                labelledBy={`${id}${value}`}
                describedBy={`${id}${value}more`}
              >
                <b id={`${id}${value}`}>{title}</b>
                <span id={`${id}${value}more`} className={`muted ${s.grow}`}>
                  {more}
                </span>
                <Price big cents={cents} was={was} />
              </ChoiceCard>
            ))}
          </div>
          <FieldNote field={form.field('plan')} />
        </fieldset>
      </form>
      <p className={s.row}>
        <Button kind="quiet" onClick={() => form.set('plan', '')}>
          Clear the choice
        </Button>
        <Button kind="quiet" onClick={() => form.setErrors({ plan: [message] })}>
          Show an error
        </Button>
      </p>
      <p className={s.row}>
        <Pill>New customers</Pill>
        <Pill kind="good">Renews on 14 Feb 2027</Pill>
        <Pill kind="warn">75 GB in all, 25 GB at a time</Pill>
        <Price cents={3_990} />
        <Price cents={3_990} was={4_900} />
      </p>
    </Section>
  )
}
