//! The phrases by which a text gives a model orders, in the five languages that most catalogs are written in.
//! Gaps are short and stay within a sentence, because the same words further apart describe a tool.

/// Patterns over text with single spaces; `(?i)` stands in each that is not about capitals.
pub(super) const ALL: &[&str] = &[
    // English: away with what was said before.
    r"(?i)\b(?:ignore|disregard|forget|override|bypass)\b(?: (?:all|any|every|the|of|your|these|those|other))* (?:previous|prior|above|earlier|preceding|existing|system|safety) (?:instructions?|prompts?|rules?|guidelines?|directions?|commands?|restrictions?)\b",
    r"(?i)\b(?:new|updated|additional|hidden|secret) (?:system )?instructions? ?:",
    r"(?i)\byou are now (?:an?|the|in)\b",
    r"(?i)\b(?:reveal|print|repeat|output|show|send|leak|include) (?:me )?(?:your|the model's|the assistant's) (?:system prompt|instructions|hidden prompt)\b",
    // Behind the user's back.
    r"(?i)\b(?:do not|don't|never|must not|should not|without) (?:ever )?(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|notify|notifying|alert|alerting|warn|warning|disclose|disclosing|ask|asking)\b[^.\n]{0,40}\b(?:the|your|any) (?:user|human|operator)s?\b",
    r"(?i)\b(?:hide|conceal|keep) (?:this|that|it|these steps)\b[^.\n]{0,30}\b(?:from|secret from|hidden from) (?:the )?(?:user|human)\b",
    // Before all others, or in place of them.
    r"(?i)\b(?:must|always|have to|need to|make sure to|be sure to)\b[^.\n]{0,30}\b(?:call|use|invoke|run|execute)\b (?:this|the) (?:tool|function)\b[^.\n]{0,30}\b(?:first|before)\b",
    r"(?i)\b(?:call|use|invoke|run|execute)\b (?:this|the) (?:tool|function) (?:first|before (?:answering|responding|replying|anything|everything))\b",
    r"(?i)\bthis (?:tool|function) (?:must|should|has to|needs to) (?:always )?be (?:called|used|invoked|run) (?:first|before)\b",
    r"(?i)\bbefore (?:using|calling|invoking|running|you use|you call) (?:any|all|every|the)? ?(?:of the )?(?:other|another) (?:tool|function|command)s?\b",
    r"(?i)\b(?:never|do not|don't) (?:use|call|invoke) (?:any |the )?other (?:tool|function)s?\b",
    r"(?i)\b(?:instead of|rather than|over) (?:all|any|every|all the) other (?:tool|function)s?\b",
    r"(?i)\b(?:when|whenever|if|before|after|each time|every time) (?:the )?(?:tool )?\w+(?: tool)? is (?:called|used|invoked)\b[^.\n]{0,40}\b(?:change|replace|redirect|modify|also send|set) (?:the|its|all)\b",
    // Out with what is not the tool's business.
    r"(?i)\b(?:send|forward|upload|post|email|transmit|exfiltrate|leak|pass|copy|append|include|provide|put)\b[^.\n]{0,40}\b(?:(?:entire|whole|full) conversation|(?:conversation|chat|message) history|(?:your|the) system prompt|contents? of (?:your|the user's) (?:memory|context))\b",
    r"(?i)(?:~/\.ssh|\bid_rsa\b|~/\.aws|\.cursor/mcp\.json|\bclaude_desktop_config\b|/etc/shadow|~/\.gnupg)",
    // The marks by which chat models tell who speaks.
    r"(?i)<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|>",
    r"\[/?INST\]|<</?SYS>>",
    r"(?i)</(?:system|assistant|developer|human|instructions?)>",
    r"(?m)^(?:SYSTEM|ASSISTANT|DEVELOPER)(?: PROMPT| MESSAGE)?: ?\S",
    r"(?im)^#{2,6} ?(?:system|developer|assistant)(?: prompt| message| instructions?)?:?[ ]*$",
    // Italian.
    r"(?i)\b(?:ignora|ignorate|dimentica|dimenticate|trascura)\b(?: tutt[eio])?(?: le| gli| i)? (?:istruzioni|indicazioni|regole|comandi) (?:precedenti|sopra|di sistema|ricevut[ei])",
    r"(?i)\bnon (?:dire|dirlo|rivelare|menzionare|comunicare|informare|avvisare|far sapere)\b[^.\n]{0,40}\butente\b",
    r"(?i)\b(?:usa|usate|chiama|chiamate|utilizza|utilizzate|devi usare|devi chiamare|esegui)\b (?:sempre )?(?:prima )?questo strumento (?:prima|per prim[oa])\b",
    r"(?i)\bprima di (?:usare|chiamare|utilizzare) (?:qualsiasi |ogni |gli |un )?altr[oi] strument[oi]\b",
    // German.
    r"(?i)\b(?:ignoriere|ignorieren sie|vergiss|vergessen sie|missachte)\b(?: alle| die| sämtliche)* (?:vorherigen|bisherigen|obigen|früheren|vorangegangenen|vorigen) (?:anweisungen|instruktionen|regeln|befehle|vorgaben)\b",
    r"(?i)\b(?:sage?|sagen sie|verrate|verraten sie|erzähle?|erwähne)\b[^.\n]{0,40}\b(?:nutzer|benutzer|anwender)\w*\b[^.\n]{0,20}\b(?:nichts?|nie(?:mals)?)\b",
    r"(?i)\b(?:rufe?|rufen sie|verwende|verwenden sie|nutze|benutze|benutzen sie)\b (?:immer |stets |zuerst |als erstes )+(?:dieses|das) (?:werkzeug|tool)\b",
    r"(?i)\bbevor (?:du|sie) (?:ein |irgendein |das )?andere[ns]? (?:werkzeuge?|tools?)\b",
    // French.
    r"(?i)\b(?:ignore[rz]?|oublie[rz]?)\b(?: toutes)?(?: les)? (?:instructions|consignes|règles) (?:précédentes|antérieures|ci-dessus|système)",
    r"(?i)\bne (?:dis|dites|dire|révèle|révélez|mentionne|mentionnez|informe|informez|préviens|prévenez)\b (?:rien|pas|jamais)\b[^.\n]{0,30}\butilisateur\b",
    r"(?i)\b(?:appelle|appelez|utilise|utilisez)\b (?:toujours |d'abord )+cet outil\b",
    r"(?i)\bavant d'(?:utiliser|appeler) (?:tout |un |les |d')?autres? outils?\b",
    // Spanish.
    r"(?i)\b(?:ignora|ignore|olvida|olvide)\b(?: todas)?(?: las)? (?:instrucciones|indicaciones|reglas|órdenes) (?:anteriores|previas|del sistema)",
    r"(?i)\bno (?:le |se lo )?(?:digas|diga|reveles|revele|menciones|mencione|informes|informe|avises)\b[^.\n]{0,30}\busuario\b",
    r"(?i)\b(?:usa|use|utiliza|utilice|llama|llame|debes usar)\b(?: a)? siempre (?:a )?esta herramienta\b",
    r"(?i)\bantes de (?:usar|llamar|utilizar) (?:a )?(?:cualquier |ninguna |una )?otra herramienta\b",
];
