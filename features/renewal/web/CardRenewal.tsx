import { useEffect, useEffectEvent } from 'react'
import { nonEmpty, pipe, string } from 'valibot'
import type { CardForm } from '#kit/contract/card.contract.ts'
import { fromWire } from '#kit/contract/money.ts'
import { useApi } from '#kit/web/api.tsx'
import { emptyCard } from '#kit/web/card/encrypted-card.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { CardChooser } from '#features/orders/web/CardChooser.tsx'
import { PurchaseForm } from '#features/orders/web/PurchaseForm.tsx'
import { SaveCard } from '#features/orders/web/SaveCard.tsx'
import { useCardChoice } from '#features/orders/web/use-card-choice.ts'
import { planMessages, type Product } from '#features/plans/plans.contract.ts'
import { choiceOf, type PlanChoice, plansOnOffer } from '#features/plans/web/plan-choice.ts'
import { planFiltersQuery, productsQuery, useShown } from '#features/plans/web/plans.queries.ts'
import { reloadServices } from '#features/services/web/services.queries.ts'
import type { Starts } from '../renewal.contract.ts'
import { AutoRenewalFirst } from './AutoRenewalFirst.tsx'
import { PaymentTypes } from './PaymentTypes.tsx'
import { PlanQuestion, type Which } from './PlanQuestion.tsx'
import { RenewActions } from './RenewActions.tsx'
import { RenewalTotal } from './RenewalTotal.tsx'
import { defaultPlan, isAutoRenewing, type Renewed } from './renewed.ts'
import { usualStart, useRunningPlan } from './running-plan.ts'
import { StartQuestion } from './StartQuestion.tsx'
import { draftOf, useRenewal } from './use-renewal.ts'
import { byCard, withCard } from './renewal-words.ts'
import * as layout from './start-choice.module.css'

type Values = PlanChoice & CardForm & { which: Which; starts: Starts; save_token: boolean }

const rules = { plan: pipe(string(), nonEmpty(planMessages.required)) }

export function CardRenewal({ plan, card }: { plan: Renewed; card: CardToken | null }) {
  const { purchase, choice, plans, usual, chosen, running } = useCardRenewal(plan, card)
  const { form } = purchase
  return (
    <PurchaseForm purchase={purchase} words={byCard}>
      <AutoRenewalFirst plan={plan} />
      <div className={layout.columns}>
        <div>
          <PlanQuestion form={form} plan={plan} plans={plans} usual={usual} />
          {running && !plan.change && <StartQuestion form={form} running={running} length={chosen?.length} />}
          <section className={layout.payment} aria-labelledby={`${form.id}payment`}>
            <h2 id={`${form.id}payment`}>Payment</h2>
            <PaymentTypes shortId={plan.schedule.short_id} by="card" />
            <Card>
              <FormErrors form={form} />
              <CardChooser
                form={form}
                choice={choice}
                belowFields={<SaveCard form={form} replaces={card !== null} />}
              />
            </Card>
          </section>
        </div>
        <RenewalTotal
          phoneNumber={plan.service.phone_number}
          product={chosen}
          cents={chosen ? fromWire(chosen.price) : null}
          running={running}
          isDocked={!isAutoRenewing(plan)}
          starts={plan.change ? 'at_end' : form.values.starts}
        >
          <RenewActions form={form} plan={plan} disabled={!chosen}>
            {choice.usesSaved && card ? withCard(card) : 'RENEW'}
          </RenewActions>
        </RenewalTotal>
      </div>
    </PurchaseForm>
  )
}

function useCardRenewal(plan: Renewed, card: CardToken | null) {
  const [api, client] = [useApi(), useQueryClient()]
  const plans = useOffer()
  const shown = useShown()
  const running = useRunningPlan(plan)
  const choice = useCardChoice(card, rules)
  const usual = plan.change ? undefined : plans && defaultPlan(plans, plan.schedule)
  const none: PlanChoice = { plan: '', length: plan.schedule.product.length }
  const purchase = useRenewal<Values>(plan, {
    schema: choice.schema,
    initial: {
      ...(usual ? choiceOf(usual) : none),
      ...emptyCard,
      which: 'usual',
      starts: usualStart(running),
      save_token: true,
    },
    draftKey: draftOf(plan, 'card'),
    buys: (values) => chosenOf(values)?.unique_id ?? '',
    shows(values) {
      const product = shown(chosenOf(values))
      return (
        product && {
          ...product,
          onNewPrice(price) {
            product.onNewPrice(price)
            // The page's text about auto-renewal contains the old price.
            return reloadServices(api, client).catch(() => {})
          },
        }
      )
    },
    body: async (values) => ({
      payment_method: '1',
      product: chosenOf(values)?.unique_id,
      ...(running && { starts: values.starts }),
      ...(!choice.usesSaved && { save_token: values.save_token }),
      ...(await choice.fieldsOf(values)),
    }),
  })
  const { form } = purchase

  /** Only a visible plan can be bought: not a plan of another length, nor the choice that was deselected. */
  function chosenOf({ which, plan: id, length }: PlanChoice & { which: Which }): Product | undefined {
    if (usual && which === 'usual') return usual
    return plans?.find((each) => each.unique_id === id && each.length === length)
  }

  // Plans that load late, after a failure, prefill the form like plans that load with the page.
  const fillIn = useEffectEvent(() => {
    if (usual && form.values.plan === '' && !form.isDirty('plan')) form.setMany(choiceOf(usual))
  })
  useEffect(() => {
    if (form.hydrated) fillIn()
  }, [form.hydrated, usual])

  return { purchase, choice, plans, usual, chosen: chosenOf(form.values), running }
}

function useOffer(): Product[] | undefined {
  const api = useApi()
  const products = useQuery(productsQuery(api)).data
  const filters = useQuery(planFiltersQuery(api)).data
  return products && filters && plansOnOffer({ products, filters, newCustomers: false })
}
