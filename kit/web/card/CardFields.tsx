import {
  detectCardType,
  extractDigits,
  formatCardNumber,
  isCardNumber,
  getSecurityCodeLength,
} from '#kit/contract/card-number.ts'
import { cvcMaxLength, expiryMaxLength, formatExpiry, type CardFormValues } from '#kit/contract/card.contract.ts'
import { FieldRow } from '../form/FieldRow.tsx'
import { TextField } from '../form/TextField.tsx'
import type { Form } from '../form/form.ts'
import { Icon } from '../widgets/Icon.tsx'
import { CardTypeIcon } from './CardTypeIcon.tsx'
import * as s from './card.module.css'

/** The card form's four inputs. They have no `name`, so that no browser can submit them; the form encrypts their values instead. */
export function CardFields({ form }: { form: Form<CardFormValues> }) {
  const number = form.values['credit-card-number']
  return (
    <>
      <NumberField form={form} />
      <TextField
        form={form}
        name="credit-card-name"
        label="Name on card"
        noName
        autoComplete="cc-name"
        spellCheck={false}
      />
      <FieldRow className={s.dated}>
        <TextField
          form={form}
          name="credit-card-expiry"
          label="Expiry"
          noName
          placeholder="MM / YY"
          autoComplete="cc-exp"
          inputMode="numeric"
          format={formatExpiry}
          maxLength={expiryMaxLength}
        />
        <TextField
          form={form}
          name="credit-card-cvc"
          label="Security code"
          noName
          hint={getCvcHint(number)}
          autoComplete="cc-csc"
          inputMode="numeric"
          allow={/\d/}
          maxLength={cvcMaxLength}
        />
      </FieldRow>
      <p className={s.safe}>
        <Icon name="lock" />
        <span>Encrypted in your browser before it is sent. We never see or store your card number.</span>
      </p>
    </>
  )
}

function NumberField({ form }: { form: Form<CardFormValues> }) {
  const number = form.values['credit-card-number']

  /*
   * Changing a complete number means a different card, so the other fields are cleared (specification, section 3). Filling in an empty or
   * partial number clears nothing, because password managers may fill in the name first. A number that gets longer was partial: the first
   * 13 digits of one in ten Visa cards would be a card number, too.
   */
  const numberForm: Form<CardFormValues> = {
    ...form,
    set(name, value) {
      const isAnotherCard =
        form.values['credit-card-name'] !== '' &&
        isCardNumber(number) &&
        !extractDigits(value).startsWith(extractDigits(number))
      form.setMany({
        [name]: value,
        ...(isAnotherCard && { 'credit-card-name': '', 'credit-card-expiry': '', 'credit-card-cvc': '' }),
      })
    },
  }
  return (
    <TextField
      form={numberForm}
      name="credit-card-number"
      label="Card number"
      noName
      autoComplete="cc-number"
      inputMode="numeric"
      format={formatCardNumber}
      className={s.digits}
      trailing={<CardTypeIcon type={detectCardType(number)} />}
    />
  )
}

const getCvcHint = (number: string) =>
  getSecurityCodeLength(number) === 4
    ? 'The CSC: 4 digits on the front of the card'
    : 'The CSC: 3 digits on the back of the card'
