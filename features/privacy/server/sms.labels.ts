/** The topic of each kind of text message. Text messages have no subject, and their content is not kept. */
export const smsLabels: Readonly<Record<string, string>> = {
  'auto-renewal-text': 'Auto-renewal of your plan',
  'caller-pin': 'PIN for a call with us',
  'change-email-pin': 'One-Time PIN for a new email address',
  'erasure-asked-text': 'Deleting your data',
  'phone-replaced': 'Your contact phone was changed',
  'plan-life-text': 'The end of your plan',
  'port-ask-text': 'Number transfer: what we need from you',
  'port-reply-text': 'Number transfer: your reply is needed',
  'port-text': 'Number transfer: the result',
  'reset-pin': 'One-Time PIN for a new password',
  'usage-alert': 'How much data you’ve used',
}

export const defaultSmsLabel = 'Your account'
