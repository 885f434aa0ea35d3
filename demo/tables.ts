declare module '#kit/server/db.ts' {
  interface Tables {
    clock: { only_row: boolean; offset_ms: string | number }
    demo_clock_followers: { process: string; offset_ms: string | number }
    demo_sims: { iccid: string; behaviour: SimBehaviour; about: string; position: number }
    demo_vouchers: { code: string; product_id: string; about: string; position: number }
    demo_customers: { position: number; user_id: string; password: string; password_hash: string; about: string }
    demo_messages: {
      id: string
      message_id: string
      channel: 'email' | 'sms'
      recipient: string
      subject: string
      body_text: string
      body_html: string
      sent_at: Date
      deliveries: number
    }
    demo_attachments: {
      id: string
      message_id: string
      position: number
      filename: string
      content_type: string
      content: Uint8Array
    }
  }
}

export type SimBehaviour = 'ok' | 'fails_once' | 'fails_always' | 'slow'
