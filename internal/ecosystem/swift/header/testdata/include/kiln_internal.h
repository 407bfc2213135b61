int kiln_secret(void);
